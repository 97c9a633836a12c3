/** Type declarations: a file per entry and per module, under its own names, with nothing from other packages. */
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

/** Rollup's options for them. A consumer who looks a type up finds the module that declares it. */
export const declarationFiles = (entries) => ({
  preserveModules: true,
  minifyInternalExports: false,
  entryFileNames: ({ name, facadeModuleId }) =>
    entries[name] === facadeModuleId ? '[name].d.ts' : `modules/${moduleName(name)}.d.ts`,
})

/** Npm leaves out folders of this name, wherever they are. */
const moduleName = (name) => name.replaceAll('node_modules/', 'packages/')
