/// What the README's C example defines.
int Router_open(const char *page);
