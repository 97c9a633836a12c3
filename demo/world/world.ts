import { createHash, generateKeyPairSync } from 'node:crypto'
import { join } from 'node:path'
import { type Env, Hono } from 'hono'
import { parseEther } from 'viem'
import { createBundler } from './account-abstraction/bundler.ts'
import { createContracts } from './account-abstraction/contracts.ts'
import { createPaymaster, type SponsorPolicy, sponsorContract } from './account-abstraction/paymaster.ts'
import { createBridge } from './bridge/bridge.ts'
import { usdcAddresses } from './chains/usdc.ts'
import { createCoinbase } from './coinbase/coinbase.ts'
import { createCoinbaseOnramp, type OnrampAccount } from './coinbase-onramp/coinbase-onramp.ts'
import { createGoogleDrive } from './drive/drive.ts'
import { createFarcaster, signerApp } from './farcaster/farcaster.ts'
import { createIcloud } from './icloud/icloud.ts'
import { createIssuer } from './issuer/issuer.ts'
import type { Mailbox } from './mail/mailbox.ts'
import { createMoonpay, type MoonpayAccount } from './moonpay/moonpay.ts'
import type { Networks } from './networks.ts'
import { createOAuthProviders } from './oauth/oauth.ts'
import { createTreasury } from './payments/treasury.ts'
import { createSmsGateway } from './sms/sms.ts'
import { createTelegram } from './telegram/telegram.ts'
import { createTurnstile } from './turnstile/turnstile.ts'
import { createX402 } from './x402/x402.ts'

const sponsorIcon = `data:image/svg+xml,${encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><circle cx="12" cy="12" r="12" fill="#5B5BD6"/></svg>',
)}`

/** The accounts that the demo has at its gateway and its bot's owner. They work only with these stand-ins. */
const smsAccount = { accountSid: 'AC00000000000000000000000000000001', authToken: 'demo-gateway-token' }
/** The bot of the vault, which signs for the vault's origin alone. */
export const telegramVaultBot = {
  botId: '7000000002',
  botToken: '7000000002:demo-bot-token-of-the-vault-000000',
}
export const telegramBot = { botId: '7000000001', botToken: '7000000001:demo-bot-token-of-the-stand-in-0000' }

/** Policies of the demo's sponsor: one pays for anything, one for calls of USDC alone. */
export const sponsorPolicies = [
  {
    id: '5b1c0f5e-4f0a-4c0b-9a53-7d1a6c1f0001',
    sponsor: { name: 'Latchkey Demo', icon: sponsorIcon },
    limitPerUser: parseEther('1'),
  },
  {
    id: '5b1c0f5e-4f0a-4c0b-9a53-7d1a6c1f0002',
    sponsor: { name: 'Latchkey Demo', icon: sponsorIcon },
    contracts: Object.values(usdcAddresses),
    limitPerUser: parseEther('1'),
  },
] as const satisfies readonly SponsorPolicy[]

/**
 * Everybody outside whom a login meets, on one server: each below a path of its own, in the protocol of its original.
 * @param options.base where it will be served, without a path
 * @param options.oauthReturn the one address that the social providers send people back to
 * @param options.driveReturn the one address to which Google sends people back who let an app into their drive
 * @param options.vaultOrigin the origin of the vault, to which providers send people back that its window has sent
 * @param options.dataDir a folder for what must outlive a restart: people's drives
 * @param options.networks what has ports of its own
 */
export async function createWorld({
  base,
  oauthReturn,
  driveReturn,
  vaultOrigin,
  dataDir,
  mailbox,
  networks,
}: {
  base: string
  oauthReturn: string
  driveReturn: string
  vaultOrigin: string
  dataDir: string
  mailbox: Mailbox
  networks: Networks
}) {
  const [oauth, farcaster, issuer, icloud] = await Promise.all([
    createOAuthProviders({
      base: `${base}/oauth`,
      clients: { redirectUri: oauthReturn, driveRedirectUri: driveReturn },
    }),
    createFarcaster({ base: `${base}/farcaster` }),
    createIssuer({ base: `${base}/issuer` }),
    createIcloud({
      base: `${base}/icloud`,
      file: join(dataDir, 'icloud.json'),
      returnTo: `${vaultOrigin}/embedded-wallets/return`,
    }),
  ])
  const drive = await createGoogleDrive({ holder: oauth.googleHolder, file: join(dataDir, 'drive.json') })
  const turnstile = createTurnstile({ base: `${base}/captcha` })
  const vaultBot = { ...telegramVaultBot, origin: vaultOrigin }
  const telegram = createTelegram({ base: `${base}/telegram`, ...telegramBot, vaultBot })
  const coinbase = createCoinbase({ base: `${base}/coinbase`, chains: networks.chains })
  const treasury = createTreasury(networks)
  const moonpayAccounts: MoonpayAccount[] = []
  const onrampAccounts: OnrampAccount[] = []
  const moonpay = createMoonpay({ base: `${base}/moonpay`, treasury, accounts: moonpayAccounts })
  const onramp = createCoinbaseOnramp({
    base: `${base}/coinbase-onramp`,
    treasury,
    accounts: onrampAccounts,
  })
  const bridge = createBridge({ base: `${base}/bridge`, treasury, ...networks })
  const x402 = createX402({ base: `${base}/x402`, chains: networks.chains, treasury })
  const contracts = createContracts(networks.chains)
  const bundler = createBundler({ base: `${base}/bundler`, contracts })
  const paymaster = createPaymaster({ base: `${base}/paymaster`, contracts, policies: sponsorPolicies })
  // Those who ask the bundler wait for its contracts, and nobody else does.
  bundler.prepare().catch((cause) => console.error('Smart accounts are not available:', cause))
  const sms = createSmsGateway({ mailbox, sid: smsAccount.accountSid, token: smsAccount.authToken })

  const app = new Hono()
  const mount = <E extends Env>(name: string, part: { app: Hono<E> }) => app.route(`/${name}`, part.app)
  mount('oauth', oauth)
  mount('farcaster', farcaster)
  mount('issuer', issuer)
  mount('captcha', turnstile)
  mount('telegram', telegram)
  mount('sms', sms)
  mount('coinbase', coinbase)
  mount('moonpay', moonpay)
  mount('coinbase-onramp', onramp)
  mount('bridge', bridge)
  mount('x402', x402)
  mount('bundler', bundler)
  mount('paymaster', paymaster)
  mount('drive', drive)
  mount('icloud', icloud)

  return {
    app,
    /** What the backend is set to instead of the real addresses. */
    outside: {
      captchaVerifyUrl: turnstile.verifyUrl,
      farcasterRelayUrl: farcaster.relayUrl,
      farcasterApiUrl: farcaster.apiUrl,
      optimismRpcUrl: farcaster.rpcUrl,
      chainRpcUrls: networks.chains,
      solanaRpcUrls: { mainnet: networks.solanaRpcUrl },
      telegramUrl: `${base}/telegram`,
      telegramClients: [base],
      sms: { baseUrl: `${base}/sms`, ...smsAccount, from: '+15005550006' },
      oauth: oauth.endpoints,
      googleDriveUrl: `${base}/drive`,
      cloudKitUrl: `${base}/icloud`,
      cloudKitAuthUrl: `${base}/icloud`,
    },
    /** What an app has at the social providers. */
    oauthClients: oauth.credentials,
    /** The app's own account on Farcaster. */
    farcasterSigner: signerApp,
    /** What an app has at the owners of people's drives. */
    drives: { googleDrive: oauth.credentials.google, icloud: icloud.credentials },
    /** The same where the vault's window runs their sign-in. */
    vaultDrives: { googleDrive: oauth.credentials.google, icloud: icloud.returning },
    /** What an app with a login of its own trusts. */
    customJwt: {
      jwksUrl: issuer.expected.jwksUrl,
      algorithms: ['ES256' as const],
      issuer: issuer.expected.issuer,
      audience: issuer.expected.audience,
    },
    /**
     * The app's accounts at on-ramps, each of which knows it as a partner.
     * @param webhooks the address below which their webhooks go, without the seller and the app
     */
    onRamps(appId: string, webhooks: string) {
      const name = createHash('sha256').update(appId).digest('hex').slice(0, 24)
      const moonpayKeys = {
        publishableKey: `pk_test_${name}`,
        secretKey: `sk_test_${name}secret`,
        webhookKey: `wk_test_${name}webhook`,
      }
      moonpayAccounts.push({ ...moonpayKeys, webhookUrl: `${webhooks}/moonpay/${appId}` })
      const { privateKey, publicKey } = generateKeyPairSync('ed25519')
      const account = {
        projectId: `project-${name}`,
        keyName: `organizations/demo/apiKeys/${name}`,
        webhookSecret: `hook0-secret-${name}`,
      }
      onrampAccounts.push({
        ...account,
        publicKey: publicKey.export({ format: 'pem', type: 'spki' }) as string,
        webhookUrl: `${webhooks}/coinbase-onramp/${appId}`,
      })
      return {
        providers: {
          moonpay: { ...moonpayKeys, methods: ['card', 'bank-transfer'], hosts: moonpay.hosts },
          'coinbase-onramp': {
            ...account,
            privateKey: privateKey.export({ format: 'pem', type: 'pkcs8' }) as string,
            sandbox: true,
            methods: ['card', 'exchange', 'apple-pay', 'google-pay'],
            hosts: onramp.hosts,
          },
        },
      }
    },
    /** Smart wallets of an app, on all chains that this machine runs; `undefined` where it runs none. */
    smartWallets: smartWalletsOn(networks.chains, (chainId) => ({
      bundlerUrl: bundler.url(chainId),
      paymasterUrl: paymaster.url(chainId),
    })),
    /** Address of the bridge. */
    bridge: {
      url: `${base}/bridge`,
      testnetUrl: `${base}/bridge`,
      deposits: [{ address: treasury.address, functions: ['transfer'] }],
    },
    /** Ends what the stand-ins wait for. */
    close() {
      moonpay.desk.close()
      onramp.desk.close()
      bridge.close()
      bundler.close()
      paymaster.close()
    },
    captchaScriptUrl: turnstile.scriptUrl,
    /** What pages and their wallets reach: nodes by chain id, Solana's node, WalletConnect's relay. */
    chains: networks.chains,
    solanaRpcUrl: networks.solanaRpcUrl,
    solanaWsUrl: networks.solanaWsUrl,
    relayUrl: networks.relayUrl,
    /** The window of Coinbase's wallet. */
    coinbaseKeysUrl: coinbase.keysUrl,
  }
}

/** The kind of account is one that the demo's chains have; the sponsor's first policy pays for anything. */
function smartWalletsOn(
  chains: Networks['chains'],
  services: (chainId: number) => { bundlerUrl: string; paymasterUrl: string },
) {
  const networks = Object.entries(chains).map(([chainId, rpcUrl]) => ({
    chainId: `eip155:${chainId}`,
    ...services(Number(chainId)),
    rpcUrl,
    paymasterPolicyId: sponsorPolicies[0].id,
    sponsor: { name: sponsorPolicies[0].sponsor.name, addresses: [sponsorContract()] },
  }))
  return networks.length > 0 ? { type: 'thirdweb' as const, networks } : undefined
}
