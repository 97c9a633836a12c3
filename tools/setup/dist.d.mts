/** Resolves with whether it had to build. */
export declare function ensureDist(): Promise<boolean>
/** A hash over the names and contents of all sources. */
export declare function fingerprint(): string
