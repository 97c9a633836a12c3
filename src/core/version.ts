/** The version of this bundle; a test holds it against package.json. */
export const version = '0.1.0'
