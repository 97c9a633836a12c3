/** What of a lock file is not installed, in words, or undefined. */
export declare function whatDiffers(wanted: unknown, installed: unknown): string | undefined
export declare const npm: string
