/** Writes dist/vault/manifest.json, so that a server knows the names of the vault's bundles without listing a folder. */

/** What the vault's pages load, by name. Filled while rollup runs; the last build writes all of it. */
const entries = {}

export function vaultManifest() {
  return {
    name: 'vault-manifest',
    generateBundle(_options, bundle) {
      for (const file of Object.values(bundle)) if (file.isEntry) entries[file.name] = file.fileName
      this.emitFile({
        type: 'asset',
        fileName: 'manifest.json',
        source: `${JSON.stringify(entries, null, 2)}\n`,
      })
    },
  }
}
