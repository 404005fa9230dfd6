// The `annot` command: reads annotations at rest. Its rules are in docs/cli.md.
@preconcurrency import Glibc

Output.holdStandardDescriptors()
exit(CommandTable.run())
