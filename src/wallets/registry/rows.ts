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
  readonly native?: string | undefined
  /** EIP-6963's reverse-domain name. */
  readonly rdns?: string
  /** If that is known. */
  readonly chains?: readonly ChainType[]
}

type Row = readonly [
  id: string,
  name: string,
  hostname?: string | undefined,
  native?: string | undefined,
  universal?: string | undefined,
  more?: Pick<KnownWallet, 'label' | 'rdns' | 'chains'>,
]
const walletOf = ([id, name, hostname, native, universal, more]: Row): KnownWallet => ({
  id,
  name,
  hostname,
  native,
  universal,
  ...more,
})

/**
 * The links are those that each wallet has registered with WalletConnect or RainbowKit. Two have registered no scheme of their own, and
 * two have no address that works without the app.
 */
const registry: readonly Row[] = [
  [
    'metamask',
    'MetaMask',
    'metamask.io',
    'metamask://',
    'https://metamask.app.link',
    { rdns: 'io.metamask' },
  ],
  ['trust', 'Trust', 'trustwallet.com', 'trust://', 'https://link.trustwallet.com'],
  ['safe', 'Safe', 'safe.global', 'safe://', 'https://app.safe.global/'],
  ['rainbow', 'Rainbow', 'rainbow.me', 'rainbow://', 'https://rnbwapp.com', { rdns: 'me.rainbow' }],
  [
    'uniswap',
    'Uniswap',
    'uniswap.org',
    'uniswap://',
    'https://uniswap.org/app',
    { label: 'Uniswap Wallet', rdns: 'org.uniswap.app' },
  ],
  ['zerion', 'Zerion', 'zerion.io', 'zerion://', 'https://wallet.zerion.io', { rdns: 'io.zerion.wallet' }],
  ['argent', 'Argent', 'www.argent.xyz', 'argent://app/', 'https://www.argent.xyz/app'],
  ['spot', 'Spot', 'www.spot-wallet.com', 'spot://', 'https://spot.so'],
  ['omni', 'Omni', 'omni.app', 'omni://', 'https://links.omni.app'],
  [
    'cryptocom',
    'Crypto.com',
    'crypto.com',
    'dfw://',
    'https://wallet.crypto.com/deeplink',
    { label: 'Crypto.com Onchain', rdns: 'com.crypto.wallet' },
  ],
  [
    'blockchain',
    'Blockchain',
    'www.blockchain.com',
    'blockchain-wallet://',
    'https://login.blockchain.com/app',
  ],
  ['safepal', 'SafePal', 'safepal.com', 'safepalwallet://', 'https://link.safepal.io'],
  ['bitkeep', 'BitKeep', 'bitkeep.com', 'bitkeep://', 'https://bkapp.vip'],
  ['zengo', 'ZenGo', 'zengo.com', 'zengo://get.zengo.com/', 'https://get.zengo.com/'],
  ['1inch', '1inch', 'wallet.1inch.io', 'oneinch://', 'https://wallet.1inch.io/wc/'],
  [
    'binance',
    'Binance',
    'www.binance.com',
    'bnc://app.binance.com/cedefi/',
    'https://app.binance.com/cedefi',
  ],
  ['exodus', 'Exodus', 'exodus.com', 'exodus://', 'https://exodus.com/m'],
  ['mew_wallet', 'MEW wallet', 'mewwallet.com', 'mewwallet://', 'https://mewwallet.com'],
  ['alphawallet', 'AlphaWallet', 'alphawallet.com', 'awallet://', 'https://aw.app'],
  ['keyring_pro', 'KEYRING PRO', 'keyring.app', 'keyring://', 'https://keyring.app/'],
  ['mathwallet', 'MathWallet', 'mathwallet.org', 'mathwallet://', 'https://www.mathwallet.org'],
  [
    'unstoppable',
    'Unstoppable',
    'unstoppabledomains.com',
    'unstoppabledomains://',
    'https://unstoppabledomains.com/mobile',
  ],
  ['obvious', 'Obvious', 'obvious.technology', 'obvious://', 'https://wallet.obvious.technology'],
  ['ambire', 'Ambire', 'www.ambire.com', undefined, 'https://mobile.ambire.com'],
  [
    'internet_money_wallet',
    'Internet Money Wallet',
    'internetmoney.io',
    'internetmoney://',
    'https://internetmoney.io',
  ],
  ['coin98', 'Coin98', 'coin98.com', 'coin98://', 'https://coin98.com/'],
  ['abc_wallet', 'ABC Wallet', 'myabcwallet.io', 'abc-wallet://abcwc', 'https://abcwalletconnect.page.link'],
  ['arculus_wallet', 'Arculus Wallet', 'www.getarculus.com', 'arculuswc://', 'https://gw.arculus.co/app'],
  ['haha', 'HaHa', 'www.haha.me', 'haha://', 'https://haha.me'],
  [
    'cling_wallet',
    'Cling Wallet',
    'clingon.io',
    undefined,
    'https://cling.carrieverse.com/apple-app-site-association',
  ],
  ['broearn', 'Broearn', 'www.broearn.com', 'broearn://wallet/', 'https://www.broearn.com/link/wallet/'],
  ['copiosa', 'Copiosa', 'copiosa.io', 'copiosa://', 'https://copiosa.io/action/'],
  ['burrito_wallet', 'Burrito Wallet', 'burritowallet.com', 'burrito://', 'https://app.burritowallet.com'],
  ['enjin_wallet', 'Enjin Wallet', 'enjin.io', 'enjinwallet://', 'https://deeplink.wallet.enjin.io/'],
  ['plasma_wallet', 'Plasma Wallet', 'plasma-wallet.com', 'plasmawallet://', 'https://plasma-wallet.com'],
  ['avacus', 'Avacus', 'avacus.cc', 'avacus://', 'https://avacus.app.link'],
  ['bee', 'Bee', 'www.beewallet.app', 'beewallet.app://', 'https://beewallet.app/wc'],
  ['pitaka', 'Pitaka', 'pitaka.io', 'pitaka://', 'https://app.pitaka.io'],
  ['pltwallet', 'PLTwallet', 'pltwallet.io', 'pltwallet://', 'https://pltwallet.io/'],
  ['minerva', 'Minerva', 'minerva.digital', 'minerva://', 'https://minerva.digital'],
  ['kryptogo', 'KryptoGO', 'kryptogo.com', 'kryptogo://', 'https://kryptogo.page.link'],
  ['prema', 'PREMA', 'premanft.com', 'premawallet://', 'https://premanft.com'],
  ['slingshot', 'Slingshot', 'slingshot.finance', 'slingshot://', 'https://app.slingshot.finance'],
  ['kriptonio', 'Kriptonio', 'kriptonio.com', 'kriptonio://', 'https://app.kriptonio.com/mobile'],
  ['timeless', 'Timeless', 'timelesswallet.xyz', 'timeless-wallet://', 'https://timelesswallet.xyz'],
  ['secux', 'SecuX', 'secuxtech.com', 'secux://', 'https://wsweb.secuxtech.com'],
  ['bitizen', 'Bitizen', 'bitizen.org', 'bitizen://wallet/', 'https://bitizen.org/wallet'],
  ['blocto', 'Blocto', 'blocto.io', 'blocto://', 'https://blocto.app'],
  ['safemoon', 'SafeMoon', 'safemoon.com', 'safemoon://', 'https://safemoon.com/wc'],
  [
    'okx_wallet',
    'OKX Wallet',
    'okx.com',
    'okex://main',
    'https://web3.okx.com/download',
    { rdns: 'com.okex.wallet' },
  ],
  ['rabby_wallet', 'Rabby Wallet', 'rabby.io', 'rabby://', undefined, { rdns: 'io.rabby.wallet' }],
  ['bybit_wallet', 'Bybit Wallet', 'bybit.com', 'bybitapp://open/route?targetUrl=by://web3/walletconnect/'],
]
const others: readonly Row[] = [
  [
    'coinbase_wallet',
    'Coinbase Wallet',
    'coinbase.com',
    undefined,
    undefined,
    { rdns: 'com.coinbase.wallet' },
  ],
  [
    'coinbase_smart_wallet',
    'Coinbase Smart Wallet',
    'coinbase.com',
    undefined,
    undefined,
    { rdns: 'com.coinbase.wallet' },
  ],
  ['phantom', 'Phantom', 'phantom.com', undefined, undefined, { chains: ['ethereum', 'solana'] }],
  ['wallet_connect', 'WalletConnect'],
  ['brave_wallet', 'Brave Wallet', 'brave.com', undefined, undefined, { rdns: 'com.brave.wallet' }],
  ['universal_profile', 'Universal Profile', 'universalprofile.cloud'],
  ['solflare', 'Solflare', 'solflare.com', undefined, undefined, { chains: ['solana'] }],
  ['backpack', 'Backpack', 'backpack.com', undefined, undefined, { chains: ['ethereum', 'solana'] }],
  ['ronin_wallet', 'Ronin Wallet', 'roninchain.com'],
  ['glow', 'Glow', 'glow.app', undefined, undefined, { chains: ['solana'] }],
]

/** The wallets that WalletConnect reaches, in the registry's order. */
export const registryWallets: readonly KnownWallet[] = registry.map(walletOf)
/** The wallets that are detected, or reached in a way of their own. */
export const otherWallets: readonly KnownWallet[] = others.map(walletOf)
