/** What Node takes by itself. */
export {};
