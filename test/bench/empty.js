/** What Node takes by itself. */
process.exitCode = 0;
