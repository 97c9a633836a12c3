import type { ChainType } from '../external/connector.ts'

/** A wallet that the kit knows. What only the vendor's explorer uses is left out, because nobody asks it. */
export interface KnownWallet {
  /** The wallet client type. */
  readonly id: string
  readonly name: string
  /** The text of its button, if that is not its name. */
  readonly label?: string
  /** Its site, by which a wallet that connects from elsewhere is recognised. */
  readonly hostname?: string | undefined
  /** Https; it opens the wallet if it is installed, and a page otherwise. */
  readonly universal?: string | undefined
  /** The scheme of the app. */
  readonly native?: string
  /** EIP-6963's reverse-domain name. */
  readonly rdns?: string
  /** If that is known. */
  readonly chains?: readonly ChainType[]
}

type Row = readonly [
  id: string,
  name: string,
  hostname?: string | undefined,
  universal?: string | undefined,
  more?: Pick<KnownWallet, 'label' | 'native' | 'rdns' | 'chains'>,
]
const walletOf = ([id, name, hostname, universal, more]: Row): KnownWallet => ({
  id,
  name,
  hostname,
  universal,
  ...more,
})

const registry: readonly Row[] = [
  [
    'metamask',
    'MetaMask',
    'metamask.io',
    'https://metamask.app.link',
    { native: 'metamask://', rdns: 'io.metamask' },
  ],
  ['trust', 'Trust', 'trustwallet.com', 'https://link.trustwallet.com'],
  ['safe', 'Safe', 'safe.global', 'https://app.safe.global/'],
  ['rainbow', 'Rainbow', 'rainbow.me', 'https://rnbwapp.com', { native: 'rainbow://', rdns: 'me.rainbow' }],
  [
    'uniswap',
    'Uniswap',
    'uniswap.org',
    'https://uniswap.org/app',
    { label: 'Uniswap Wallet', native: 'uniswap://', rdns: 'org.uniswap.app' },
  ],
  [
    'zerion',
    'Zerion',
    'zerion.io',
    'https://wallet.zerion.io',
    { native: 'zerion://', rdns: 'io.zerion.wallet' },
  ],
  ['argent', 'Argent', 'www.argent.xyz', 'https://www.argent.xyz/app'],
  ['spot', 'Spot', 'www.spot-wallet.com', 'https://spot.so'],
  ['omni', 'Omni', 'omni.app', 'https://links.omni.app'],
  [
    'cryptocom',
    'Crypto.com',
    'crypto.com',
    'https://wallet.crypto.com',
    { label: 'Crypto.com Onchain', native: 'dfw://', rdns: 'com.crypto.wallet' },
  ],
  ['blockchain', 'Blockchain', 'www.blockchain.com', 'https://www.blockchain.com'],
  ['safepal', 'SafePal', 'safepal.com', 'https://link.safepal.io'],
  ['bitkeep', 'BitKeep', 'bitkeep.com', 'https://bkapp.vip'],
  ['zengo', 'ZenGo', 'zengo.com', 'https://get.zengo.com/'],
  ['1inch', '1inch', 'wallet.1inch.io', 'https://wallet.1inch.io/wc/'],
  ['binance', 'Binance', 'www.binance.com', 'https://app.binance.com/cedefi'],
  ['exodus', 'Exodus', 'exodus.com', 'https://exodus.com/m'],
  ['mew_wallet', 'MEW wallet', 'mewwallet.com', 'https://mewwallet.com'],
  ['alphawallet', 'AlphaWallet', 'alphawallet.com', 'https://aw.app'],
  ['keyring_pro', 'KEYRING PRO', 'keyring.app', 'https://keyring.app/'],
  ['mathwallet', 'MathWallet', 'mathwallet.org', 'https://www.mathwallet.org'],
  ['unstoppable', 'Unstoppable', 'unstoppabledomains.com', 'https://unstoppabledomains.com/mobile'],
  ['obvious', 'Obvious', 'obvious.technology', 'https://wallet.obvious.technology'],
  ['ambire', 'Ambire', 'www.ambire.com', 'https://mobile.ambire.com'],
  ['internet_money_wallet', 'Internet Money Wallet', 'internetmoney.io', 'https://internetmoney.io'],
  ['coin98', 'Coin98', 'coin98.com', 'https://coin98.services'],
  ['abc_wallet', 'ABC Wallet', 'myabcwallet.io', 'https://abcwalletconnect.page.link'],
  ['arculus_wallet', 'Arculus Wallet', 'www.getarculus.com', 'https://gw.arculus.co/app'],
  ['haha', 'HaHa', 'www.haha.me', 'https://haha.me'],
  ['cling_wallet', 'Cling Wallet', 'clingon.io', 'https://cling.carrieverse.com/apple-app-site-association'],
  ['broearn', 'Broearn', 'www.broearn.com', 'https://www.broearn.com/link/wallet/'],
  ['copiosa', 'Copiosa', 'copiosa.io', 'https://copiosa.io/action/'],
  ['burrito_wallet', 'Burrito Wallet', 'burritowallet.com', 'https://burritowallet.com/wc?uri='],
  ['enjin_wallet', 'Enjin Wallet', 'enjin.io', 'https://deeplink.wallet.enjin.io/'],
  ['plasma_wallet', 'Plasma Wallet', 'plasma-wallet.com', 'https://plasma-wallet.com'],
  ['avacus', 'Avacus', 'avacus.cc', 'https://avacus.app.link'],
  ['bee', 'Bee', 'www.beewallet.app', 'https://beewallet.app/wc'],
  ['pitaka', 'Pitaka', 'pitaka.io', 'https://app.pitaka.io'],
  ['pltwallet', 'PLTwallet', 'pltwallet.io', 'https://pltwallet.io/'],
  ['minerva', 'Minerva', 'minerva.digital', 'https://minerva.digital'],
  ['kryptogo', 'KryptoGO', 'kryptogo.com', 'https://kryptogo.page.link'],
  ['prema', 'PREMA', 'premanft.com', 'https://premanft.com'],
  ['slingshot', 'Slingshot', 'slingshot.finance', 'https://app.slingshot.finance'],
  ['kriptonio', 'Kriptonio', 'kriptonio.com', 'https://app.kriptonio.com/mobile'],
  ['timeless', 'Timeless', 'timelesswallet.xyz', 'https://timelesswallet.xyz'],
  ['secux', 'SecuX', 'secuxtech.com', 'https://wsweb.secuxtech.com'],
  ['bitizen', 'Bitizen', 'bitizen.org', 'https://bitizen.org/wallet'],
  ['blocto', 'Blocto', 'blocto.io', 'https://blocto.app'],
  ['safemoon', 'SafeMoon', 'safemoon.com', 'https://safemoon.com/wc'],
  ['okx_wallet', 'OKX Wallet', 'okx.com', undefined, { native: 'okex://main', rdns: 'com.okex.wallet' }],
  ['rabby_wallet', 'Rabby Wallet', 'rabby.io', undefined, { rdns: 'io.rabby.wallet' }],
  ['bybit_wallet', 'Bybit Wallet', 'bybit.com', undefined],
]
const others: readonly Row[] = [
  ['coinbase_wallet', 'Coinbase Wallet', 'coinbase.com', undefined, { rdns: 'com.coinbase.wallet' }],
  [
    'coinbase_smart_wallet',
    'Coinbase Smart Wallet',
    'coinbase.com',
    undefined,
    { rdns: 'com.coinbase.wallet' },
  ],
  ['phantom', 'Phantom', 'phantom.com', undefined, { chains: ['ethereum', 'solana'] }],
  ['wallet_connect', 'WalletConnect'],
  ['brave_wallet', 'Brave Wallet', 'brave.com', undefined, { rdns: 'com.brave.wallet' }],
  ['universal_profile', 'Universal Profile', 'universalprofile.cloud'],
  ['solflare', 'Solflare', 'solflare.com', undefined, { chains: ['solana'] }],
  ['backpack', 'Backpack', 'backpack.com', undefined, { chains: ['ethereum', 'solana'] }],
  ['ronin_wallet', 'Ronin Wallet', 'roninchain.com'],
  ['glow', 'Glow', 'glow.app', undefined, { chains: ['solana'] }],
]

/** The wallets that WalletConnect reaches, in the registry's order. */
export const registryWallets: readonly KnownWallet[] = registry.map(walletOf)
/** The wallets that are detected, or reached in a way of their own. */
export const otherWallets: readonly KnownWallet[] = others.map(walletOf)
