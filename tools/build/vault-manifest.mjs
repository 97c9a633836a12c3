/** Writes dist/vault/manifest.json, so that a server knows the name of the vault's bundle without listing a folder. */
export function vaultManifest() {
  return {
    name: 'vault-manifest',
    generateBundle(_options, bundle) {
      const main = Object.values(bundle).find((file) => file.isEntry)
      this.emitFile({
        type: 'asset',
        fileName: 'manifest.json',
        source: `${JSON.stringify({ main: main.fileName }, null, 2)}\n`,
      })
    },
  }
}
