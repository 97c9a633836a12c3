import type { Plugin } from 'rollup'

/** Refuses emitted code that imports what is neither part of the same output nor declared external. */
export function closedImports(): Plugin
