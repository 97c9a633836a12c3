/**
 * All that the build changes in the text of WalletConnect's SDK. Its version is pinned; a change that does not apply any
 * more stops the build.
 *
 * The SDK keeps a rejected promise of its own for every proposal and request that expires, and hears it nowhere: whoever
 * had shown a code and closed the dialog had an unhandled rejection in the host's page five minutes later, whatever the
 * caller catches.
 */
const end = '/node_modules/@walletconnect/utils/dist/index.es.js'
const unheard = /(\w)=Promise\.reject\((\w)\),(\w)\(\2\)/g

/** The plugin that makes this change. */
export function walletConnectPatches() {
  return {
    name: 'wallet-connect-patches',
    transform(code, id) {
      if (!id.endsWith(end)) return null
      if ([...code.matchAll(unheard)].length !== 1)
        this.error(`${id} does not hold one unheard rejection any more: see wallet-connect-patches.mjs`)
      return {
        code: code.replace(unheard, '$1=Promise.reject($2),$1.catch(()=>{}),$3($2)'),
        map: null,
      }
    },
  }
}
