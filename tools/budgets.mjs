/** What a page may pay for Latchkey. `npm run size` holds both tables; opening times are reported by `npm run bench`. */

/**
 * Of bytes, as servers send them; size-limit compares. They leave some room above what is shipped: they find what was bundled by
 * mistake, not every line of a feature.
 */
export const sizes = {
  carried: { what: 'page that only carries <login-modal>', limit: '10 KiB', gzip: true },
  // Batches of calls that a reload has interrupted go on from here.
  restored: { what: 'restoring a session, beyond that', limit: '26 KiB' },
  landing: { what: 'landing screen, files of the CDN', limit: '112 KiB' },
  bundled: { what: 'landing screen, bundled by a host with Vite', limit: '112 KiB' },
  walletList: { what: 'wallet list, beyond that and any login', limit: '42 KiB' },
  vault: { what: 'vault', limit: '80 KiB' },
  vaultApproval: { what: 'vault, the first approval', limit: '130 KiB' },
  vaultExport: { what: 'vault, the page that shows a key', limit: '48 KiB' },
}

/** Of requests until the landing screen can be seen, the document left out. */
export const requests = {
  landing: { what: 'requests to the landing screen, CDN', limit: 8 },
  bundled: { what: 'requests to the landing screen, Vite', limit: 8 },
}
