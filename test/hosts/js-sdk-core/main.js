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
  linkEmail: (email, code) => privy.auth.email.linkWithCode(email, code),
  async siweMessage(address) {
    const wallet = { address, chainId: 'eip155:1' }
    return (await privy.auth.siwe.init(wallet, location.host, location.origin)).message
  },
  async linkWallet(signature) {
    const { user } = await privy.auth.siwe.linkWithSiwe(signature)
    return user.linked_accounts
      .filter(({ wallet_client_type: type }) => type !== 'privy')
      .map(({ type }) => type)
  },
  async unlinkWallet(address) {
    const { user } = await privy.auth.siwe.unlinkWallet(address)
    return user.linked_accounts
      .filter(({ wallet_client_type: type }) => type !== 'privy')
      .map(({ type }) => type)
  },
  async updateEmail(oldEmailAddress, newEmailAddress, code) {
    const { user } = await privy.auth.email.updateEmail({ oldEmailAddress, newEmailAddress, code })
    return user.linked_accounts.filter(({ type }) => type === 'email').map(({ address }) => address)
  },
  initTotp: () => privy.mfa.initEnrollMfa({ method: 'totp' }),
  submitTotp: (code) => privy.mfa.submitEnrollMfa({ method: 'totp', code }),
  /** Asks for something, and gives this code where the person has to be verified. */
  async requestVerified(mfaCode, method, params) {
    let asked = 0
    const { mfaPromises } = privy
    const verify = () => {
      asked++
      const relyingParty = location.origin
      // The client waits for the person after it has told of them.
      setTimeout(() => mfaPromises.rootPromise.current.resolve({ mfaMethod: 'totp', mfaCode, relyingParty }))
    }
    mfaPromises.on('mfaRequired', verify)
    try {
      const answer = await (await ethereum()).request({ method, params })
      return { answer, asked }
    } finally {
      mfaPromises.off('mfaRequired', verify)
    }
  },
  token: () => privy.getAccessToken(),
  logOut: () => privy.auth.logout(),
}
