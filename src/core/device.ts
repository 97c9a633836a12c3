/** A phone or a tablet: an app opens beside the browser there, and a code on its screen can't be scanned by it. */
export const isMobile = (userAgent: string): boolean => /android|iphone|ipad|ipod|mobile/i.test(userAgent)
