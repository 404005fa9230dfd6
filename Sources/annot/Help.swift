/// The texts of `--help`.
enum Help {
  static let overview = """
    Usage: annot COMMAND [OPTION]... FILE...
    Show the annotations in ELF files. Nothing of a file is run.

    Commands:
      dump           print the annotations of files
      help COMMAND   tell more about a command

    Options:
      -h, --help     print this help
      -V, --version  print the version

    Exit status: 0 nothing amiss; 1 findings, such as malformed records;
    2 bad usage, or a file that could not be read.

    """

  static let dump = """
    Usage: annot dump [OPTION]... FILE...
    Print the annotations of executables, shared objects, object files and
    archives. '-' is standard input.

    Options:
      -f, --format FORMAT  text (default): a table;
                           jsonl: one JSON object a line
      -h, --help           print this help

    Annotations are sorted by source file, line, kind, class and selector. Equal
    ones of one file are shown once. A file without annotations is told of on
    standard error.

    Exit status: 0 nothing amiss; 1 some records are malformed; 2 bad usage, or a
    file that could not be read. The other files are printed all the same.

    Examples:
      annot dump .build/release/shop
      annot dump --format jsonl libcart.so | jq -r '.record.cls'

    """
}
