/** Stands in the bundle for the library below Umzug's own command line, of which the program has none. */
class CommandLineAction {}
class CommandLineParser {}

export { CommandLineAction, CommandLineParser }
