/** Stands in for React's types in the public declarations, so that nobody has to install them. */
export type ReactNode = unknown
