/** A page that uses the client as its documentation says. What it does is asked of it from outside. */
import Privy, {
  getEntropyDetailsFromUser,
  getUserEmbeddedEthereumWallet,
  getUserEmbeddedSolanaWallet,
  LocalStorage,
} from '@privy-io/js-sdk-core'

const { appId, baseUrl, vaultUrl } = window.settings
const privy = new Privy({ appId, baseUrl, storage: new LocalStorage() })

/** Its frame is on an origin of its own here. */
async function start() {
  await privy.initialize()
  const frame = document.createElement('iframe')
  frame.src = privy.embeddedWallet.getURL().replace(baseUrl, vaultUrl)
  frame.style.display = 'none'
  document.body.append(frame)
  const poster = {
    postMessage: (message, _origin, ...more) => frame.contentWindow.postMessage(message, vaultUrl, ...more),
    reload: () => {
      frame.src = String(frame.src)
    },
  }
  privy.setMessagePoster(poster)
  addEventListener('message', ({ origin, data }) => {
    if (origin === vaultUrl) privy.embeddedWallet.onMessage(data)
  })
}

const me = async () => (await privy.user.get()).user
async function ethereum() {
  const user = await me()
  const wallet = getUserEmbeddedEthereumWallet(user)
  return privy.embeddedWallet.getEthereumProvider({ wallet, ...getEntropyDetailsFromUser(user) })
}

window.client = {
  start,
  sendCode: (email) => privy.auth.email.sendCode(email),
  async logIn(email, code) {
    return (await privy.auth.email.loginWithCode(email, code)).user.id
  },
  async create() {
    await privy.embeddedWallet.create({})
    return getUserEmbeddedEthereumWallet(await me()).address
  },
  async createSolana() {
    const ethereumAccount = getUserEmbeddedEthereumWallet(await me())
    await privy.embeddedWallet.createSolana({ ethereumAccount })
    return getUserEmbeddedSolanaWallet(await me()).address
  },
  request: async (method, params) => (await ethereum()).request({ method, params }),
  async signSolana(message) {
    const user = await me()
    const { entropyId, entropyIdVerifier } = getEntropyDetailsFromUser(user)
    const wallet = getUserEmbeddedSolanaWallet(user)
    const provider = await privy.embeddedWallet.getSolanaProvider(wallet, entropyId, entropyIdVerifier)
    return (await provider.request({ method: 'signMessage', params: { message } })).signature
  },
  token: () => privy.getAccessToken(),
  logOut: () => privy.auth.logout(),
}
