/** Type declarations: one file per entry, with everything in it that a consumer needs and nothing from other packages. */
import path from 'node:path'
import { dts } from 'rollup-plugin-dts'
import { root } from './program.mjs'

export function declarations() {
  return [
    dts({
      tsconfig: path.join(root, 'tsconfig.json'),
      // What a Solana wallet is, which a consumer need not have installed to be told.
      includeExternal: ['@wallet-standard/base'],
      compilerOptions: {
        // A view is an inner matter: where our types touch React, a consumer sees an opaque type instead.
        paths: { react: [path.join(root, 'tools/build/opaque-react.d.ts')] },
      },
    }),
  ]
}
