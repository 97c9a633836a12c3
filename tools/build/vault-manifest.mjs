/** Writes dist/vault/manifest.json, so that a server knows the names of the vault's bundles without listing a folder. */

/** What the vault's pages load, by name, and what these files import at once. Filled while rollup runs; the last build writes all of it. */
const entries = {}
const imports = {}

export function vaultManifest() {
  return {
    name: 'vault-manifest',
    generateBundle(_options, bundle) {
      for (const file of Object.values(bundle)) {
        if (!file.isEntry) continue
        entries[file.name] = file.fileName
        if (file.imports.length > 0) imports[file.name] = file.imports
      }
      this.emitFile({
        type: 'asset',
        fileName: 'manifest.json',
        source: `${JSON.stringify({ ...entries, imports }, null, 2)}\n`,
      })
    },
  }
}
