import type { RollupOptions } from 'rollup'

/** The folder of the repository. */
export const root: string
/** What every rollup input that ends up in a browser has in common. */
export function program(): Pick<RollupOptions, 'plugins' | 'onLog' | 'treeshake'>
