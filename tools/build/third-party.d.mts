import type { Plugin } from 'rollup'

/** A plugin that notes every package that is bundled, and refuses licences under which it may not be shipped. */
export function noteThirdParty(root: string): Plugin
