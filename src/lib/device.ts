/**
 * Whether this is a phone or tablet: apps open outside the browser there, and its own screen can't be scanned
 * by it.
 */
export const isMobile = (userAgent: string): boolean => /android|iphone|ipad|ipod|mobile/i.test(userAgent)
