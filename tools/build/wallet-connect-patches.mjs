/**
 * All that the build changes in the text of WalletConnect's SDK. Its version is pinned; a change that does not apply any
 * more stops the build.
 *
 * The SDK leaves two promises without a listener, and a rejection of either is an unhandled one in the host's page,
 * whatever the caller catches: one of its own for every proposal and request, which expires five minutes later, and the
 * check of an ended session, which rejects where the relay brings the end twice or where both sides have ended it.
 */
const changes = [
  {
    file: '/node_modules/@walletconnect/utils/dist/index.es.js',
    text: /(\w)=Promise\.reject\((\w)\),(\w)\(\2\)/g,
    replacement: '$1=Promise.reject($2),$1.catch(()=>{}),$3($2)',
  },
  {
    file: '/node_modules/@walletconnect/sign-client/dist/index.es.js',
    text: /try\{this\.isValidDisconnect\(/g,
    replacement: 'try{await this.isValidDisconnect(',
  },
]

/** The plugin that makes these changes. */
export function walletConnectPatches() {
  return {
    name: 'wallet-connect-patches',
    transform(code, id) {
      const change = changes.find(({ file }) => id.endsWith(file))
      if (!change) return null
      const { text, replacement } = change
      if ([...code.matchAll(text)].length !== 1)
        this.error(`${id} does not hold ${text} once any more: see wallet-connect-patches.mjs`)
      return { code: code.replace(text, replacement), map: null }
    },
  }
}
