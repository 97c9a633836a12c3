/**
 * Published malicious requests on EVM chains, each with where it was published. `published`: these very bytes or fields were. `built`: the
 * function and its effect were; addresses and amounts that the report does not give are of this project.
 */
import {
  bytesToHex,
  encodeAbiParameters,
  encodeFunctionData,
  encodePacked,
  type Hex,
  maxUint256,
  parseAbi,
  parseAbiParameters,
  toFunctionSelector,
} from 'viem'
import type { SignContent } from '../../src/protocol/frame/sign-request.ts'
import { type Effect, evmTransaction, wallet } from './read.ts'

export interface Malicious {
  readonly title: string
  readonly source: string
  readonly bytes: 'published' | 'built'
  readonly content: SignContent
  /** The wallet, where it is not the one of the collection. */
  readonly wallet?: string
  /** What the wallet has of a token, as the vault's own server says: drainers ask for all of it. */
  readonly balances?: Readonly<Record<string, bigint>>
  /** What an honest trial run finds, where the bytes say little. */
  readonly trial?: Effect
  /**
   * It is a transfer or a sale, or a hash under the prefix of a message, that nothing but its address or its price tells from an ordinary one, and no list of either is part of the
   * product. Where it isn't red it has to display all of this: who gets what, in smallest units.
   */
  readonly shows?: readonly string[]
}

const dapp = 'https://github.com/MetaMask/test-dapp/blob/2252b59ca8a0d23a6186cc54731fcc9af29c5501/src/'
const usdc = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48'
const usdt = '0xdAC17F958D2ee523a2206206994597C13D831ec7'
const steth = '0xae7ab96520DE3A18E5e111B5EaAb095312D7fE84'
const bored = '0xBC4CA0EdA7647A8aB7C2061c2E118A18a936f13D'
const thief = '0x5FbDB2315678afecb367f032d93F642f64180aa3'
const zero = `0x${'0'.repeat(40)}` as const
const word = `0x${'5a'.repeat(32)}` as const
const permit2 = '0x000000000022d473030f116ddee9f6b43ac78ba3'
const UINT160 = (1n << 160n) - 1n

const abi = parseAbi([
  'function approve(address spender, uint256 amount)',
  'function increaseAllowance(address spender, uint256 amount)',
  'function setApprovalForAll(address operator, bool approved)',
  'function transfer(address to, uint256 amount)',
  'function transferFrom(address from, address to, uint256 amount)',
  'function safeTransferFrom(address from, address to, uint256 token)',
  'function multicall(bytes[] data)',
  'function aggregate((address target, bytes data)[] calls)',
  'function aggregate3((address target, bool allowFailure, bytes data)[] calls)',
  'function execute(address target, uint256 value, bytes data)',
  'function execute(bytes32 mode, bytes execution)',
  'function executeBatch((address target, uint256 value, bytes data)[] calls)',
  'function multiSend(bytes transactions)',
  'function execTransaction(address to, uint256 value, bytes data, uint8 operation, uint256 safeTxGas, uint256 baseGas, uint256 gasPrice, address gasToken, address refundReceiver, bytes signatures)',
  'function transferOwnership(address newOwner)',
  'function enableModule(address module)',
  'function approve(address token, address spender, uint160 amount, uint48 expiration)',
  'function approveDelegation(address delegatee, uint256 amount)',
  'function safeBatchTransferFrom(address from, address to, uint256[] ids, uint256[] amounts, bytes data)',
  'function atomicMatch_(address[14] addrs, uint256[18] uints, uint8[8] feeMethodsSidesKindsHowToCalls, bytes calldataBuy, bytes calldataSell, bytes replacementPatternBuy, bytes replacementPatternSell, bytes staticExtradataBuy, bytes staticExtradataSell, uint8[2] vs, bytes32[5] rssMetadata)',
])
const encode = (functionName: string, ...args: unknown[]) =>
  encodeFunctionData({ abi, functionName, args } as never) as Hex
const call = (to: string, data: string, value = 0n, more: object = {}) =>
  evmTransaction({ to, data, value, ...more })

type Types = Readonly<Record<string, string>>
const struct = (text: string) =>
  text.split(',').map((field) => {
    const [type = '', name = ''] = field.split(' ')
    return { name, type }
  })
/** Typed data; the first struct is the primary one. */
const typed = (types: Types, message: object, domain: object): SignContent => ({
  kind: 'typedData',
  typedData: {
    domain: { chainId: 1, ...domain },
    types: Object.fromEntries(Object.entries(types).map(([name, text]) => [name, struct(text)])),
    primaryType: Object.keys(types)[0] ?? '',
    message,
  } as never,
})
const permitTypes = { Permit: 'address owner,address spender,uint256 value,uint256 nonce,uint256 deadline' }
const permit = (token: string, spender: string, value: bigint, more: object = {}) =>
  typed(
    permitTypes,
    { owner: wallet, spender, value: String(value), nonce: 1, deadline: 1678709555, ...more },
    { name: 'USD Coin', version: '2', verifyingContract: token },
  )
const details = 'address token,uint160 amount,uint48 expiration,uint48 nonce'
const permitDomain = { name: 'Permit2', verifyingContract: permit2 }
const offer =
  'uint8 itemType,address token,uint256 identifierOrCriteria,uint256 startAmount,uint256 endAmount'
const orderTypes = {
  OrderComponents:
    'address offerer,address zone,OfferItem[] offer,ConsiderationItem[] consideration,uint8 orderType,uint256 startTime,uint256 endTime,bytes32 zoneHash,uint256 salt,bytes32 conduitKey,uint256 counter',
  OfferItem: offer,
  ConsiderationItem: `${offer},address recipient`,
}
const seaport = (version: string, verifyingContract: string) => ({
  name: 'Seaport',
  version,
  verifyingContract,
})
const seaport11 = seaport('1.1', '0x00000000006c3852cbef3e08e8df289169ede581')
const seaport15 = seaport('1.5', '0x00000000000000ADc04C56Bf30aC9d3c0aAF14dC')
const nft = (token: string, id: string) => ({
  itemType: '2',
  token,
  identifierOrCriteria: id,
  startAmount: '1',
  endAmount: '1',
})
const order = (more: object) => ({
  offerer: wallet,
  zone: zero,
  offer: [nft(bored, '7')],
  consideration: [],
  orderType: '2',
  startTime: '1681810415',
  endTime: '1981983215',
  zoneHash: `0x${'0'.repeat(64)}`,
  salt: '1',
  conduitKey: '0x0000007b02230091a7ed01230072f7006a004d60a8d4e71d599b8104250f0000',
  counter: '0',
  ...more,
})
const [mutant, doodle] = [
  '0x60e4d786628fea6478f785a6d7e704777c86a7c6',
  '0xba30e5f9bb24caa003e9f2f0497ad287fdf95623',
]
const sixNfts = [
  nft(mutant, '26464'),
  nft(mutant, '7779'),
  nft(mutant, '4770'),
  nft(doodle, '9594'),
  nft(doodle, '2118'),
  nft(doodle, '1753'),
]
const ether = (amount: string, recipient: string) => ({
  itemType: '0',
  token: zero,
  identifierOrCriteria: '0',
  startAmount: amount,
  endAmount: amount,
  recipient,
})
const bybitTrojan = '0x96221423681A6d52E184D440a8eFCEbB105C7242'
const bybitCall =
  '0xa9059cbb000000000000000000000000bdd077f651ebe7f7b3ce16fe5f2b025be29695160000000000000000000000000000000000000000000000000000000000000000'
const bybitSafe = '0x1Db92e2EeBC8E0c075a02BeA49a2935BcD2dFCF4'
const safeTypes = {
  SafeTx:
    'address to,uint256 value,bytes data,uint8 operation,uint256 safeTxGas,uint256 baseGas,uint256 gasPrice,address gasToken,address refundReceiver,uint256 nonce',
}
const safeTx = (message: object, verifyingContract = bybitSafe) =>
  typed(
    safeTypes,
    {
      value: '0',
      data: '0x',
      operation: 0,
      safeTxGas: '45746',
      baseGas: '0',
      gasPrice: '0',
      gasToken: zero,
      refundReceiver: zero,
      nonce: '71',
      ...message,
    },
    { verifyingContract },
  )
const packedSend = (to: string, value: bigint, data: Hex) =>
  encodePacked(
    ['uint8', 'address', 'uint256', 'uint256', 'bytes'],
    [0, to as Hex, value, BigInt((data.length - 2) / 2), data],
  ).slice(2)
const message = (text: string): SignContent => ({
  kind: 'message',
  message: bytesToHex(new TextEncoder().encode(text)),
})
const mayTakeAll = encode('approve', thief, maxUint256)
const drainer7702 = '0x930fcc37d6042c79211ee18a02857cb1fd7f0d0b'
const batch7579 = encodeAbiParameters(parseAbiParameters('(address target, uint256 value, bytes data)[]'), [
  [
    { target: usdc, value: 0n, data: encode('transfer', thief, 900_000_000n) },
    { target: steth, value: 0n, data: encode('transfer', thief, 9_579n * 10n ** 18n) },
    { target: thief, value: 10n ** 18n, data: '0x' },
  ],
])
const scamSniffer7702 =
  'https://bitcoinethereumnews.com/ethereum/crypto-investor-loses-1m-in-uniswap-scam-exploiting-ethereums-eip-7702'
const zengo = 'https://zengo.com/offline-signatures-can-drain-your-wallet-this-is-how-part-1-2/'
const zengo2 =
  'https://zengo.com/offline-signatures-can-drain-your-wallet-including-erc-20-tokens-this-is-how-part-2-2/'
const checkPoint =
  'https://newstoday.app/trending-now/29/07/2024/how-scammers-could-be-hijacking-trusted-protocols-to-steal-millions-of-cryptocurrency'
const securityUpdates = 'https://flagship.fyi/outposts/crypto-news/beware-of-the-securityupdates-bitcoin-scam'
const bybitSource =
  'https://github.com/tayvano/lazarus-bluenoroff-research/blob/992c7f10592ee525f329629126b06283aba23026/malicious-shit/bybit-safe-tx-71.json'
const radiant = 'https://coinlive.com/news-flash/646260'
const poisoning =
  'https://azcoinnews.com/20-million-usdt-scam-foiled-deceptive-wallet-impersonation-prevented-in-time.html'
const stethTheft = 'https://yourcryptolibrary.com/?p=31971'
const nativeDrainers = 'https://docs.webacy.com/glossary/drainers'
const drainerKinds = 'https://thezenmom.com/en/doc/wallet-drainer-tool-defense.html'
/** Selectors by the names that the reports give: `SecurityUpdate()`, `Claim()`, `Connect()`. */
const named = (name: string): Hex => toFunctionSelector(`function ${name}() payable`)

export const maliciousEthereum: readonly Malicious[] = [
  // MetaMask's test page.
  {
    title: 'test page: malicious ether transfer',
    source: `${dapp}components/ppom/sharedConstants.js`,
    bytes: 'published',
    content: evmTransaction({ to: thief, value: 0x9184e72a000n }),
    shows: [thief, String(0x9184e72a000n)],
  },
  {
    title: 'test page: malicious USDC transfer',
    source: `${dapp}components/ppom/sharedConstants.js`,
    bytes: 'published',
    content: call(
      usdc,
      '0xa9059cbb0000000000000000000000005fbdb2315678afecb367f032d93f642f64180aa30000000000000000000000000000000000000000000000000000000000000064',
    ),
    shows: [thief, String(0x64n)],
  },
  {
    title: 'test page: malicious approval',
    source: `${dapp}components/ppom/sharedConstants.js`,
    bytes: 'published',
    content: call(
      usdc,
      '0x095ea7b3000000000000000000000000e50a2dbc466d01a34c3e8b7e8e45fce4f7da39e6000000000000000000000000000000000000000000000000ffffffffffffffff',
    ),
    balances: { [usdc]: 100n },
  },
  {
    title: 'test page: malicious setApprovalForAll',
    source: `${dapp}components/ppom/sharedConstants.js`,
    bytes: 'published',
    content: call(
      bored,
      '0xa22cb465000000000000000000000000b85492afc686d5ca405e3cd4f50b05d358c75ede0000000000000000000000000000000000000000000000000000000000000001',
    ),
  },
  {
    title: 'test page: malicious contract interaction',
    source: `${dapp}components/ppom/sharedConstants.js`,
    bytes: 'published',
    content: call(
      '0x000062Accd1a9d62eF428eC86cA3dD4f45120000',
      '0xef5cfb8c0000000000000000000000000b3e87a076ac4b0d1975f0f232444af6deb96c59',
    ),
    trial: { out: [{ kind: 'erc20', token: usdc, amount: 100n }] },
  },
  {
    title: 'test page: malicious permit',
    source: `${dapp}components/ppom/transactions.js`,
    bytes: 'published',
    content: permit(usdc, '0x1661F1B207629e4F385DA89cFF535C8E5Eb23Ee3', 1033366316628n),
    balances: { [usdc]: 1033366316628n },
  },
  {
    title: 'test page: malicious trade order',
    source: `${dapp}components/ppom/transactions.js`,
    bytes: 'published',
    content: typed(
      {
        ERC721Order:
          'uint8 direction,address maker,address taker,uint256 expiry,uint256 nonce,address erc20Token,uint256 erc20TokenAmount,Fee[] fees,address erc721Token,uint256 erc721TokenId,Property[] erc721TokenProperties',
        Fee: 'address recipient,uint256 amount,bytes feeData',
        Property: 'address propertyValidator,bytes propertyData',
      },
      {
        direction: '0',
        maker: wallet,
        taker: thief,
        expiry: '2524604400',
        nonce: '100131415900000000000000000000000000000083840314483690155566137712510085002484',
        erc20Token: '0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2',
        erc20TokenAmount: '42000000000000',
        fees: [],
        erc721Token: '0x8a90CAb2b38dba80c64b7734e58Ee1dB38B8992e',
        erc721TokenId: '2516',
        erc721TokenProperties: [],
      },
      { name: 'ZeroEx', version: '1.0.0', verifyingContract: '0xdef1c0ded9bec7f1a1670819833240f027b25eff' },
    ),
    shows: ['2516', '42000000000000'],
  },
  {
    title: 'test page: malicious Seaport order',
    source: `${dapp}components/ppom/transactions.js`,
    bytes: 'published',
    content: typed(
      orderTypes,
      order({
        offerer: '0x5a6f5477bdeb7801ba137a9f0dc39c0599bac994',
        zone: '0x004c00500000ad104d7dbd00e3ae0a5c00560c00',
        offer: sixNfts,
        consideration: sixNfts.map((item) => ({
          ...item,
          recipient: '0xdfdc0b1cf8e9950d6a860af6501c4fecf7825cc1',
        })),
        endTime: '1681983215',
        salt: '1550213294656772168494388599483486699884316127427085531712538817979596',
      }),
      seaport11,
    ),
  },
  {
    title: 'test page: malicious Seaport order, signed by its offerer',
    source: `${dapp}components/ppom/transactions.js`,
    bytes: 'published',
    wallet: '0x5a6f5477bDeB7801Ba137A9F0dC39C0599bAc994',
    content: typed(
      orderTypes,
      order({
        offerer: '0x5a6f5477bdeb7801ba137a9f0dc39c0599bac994',
        zone: '0x004c00500000ad104d7dbd00e3ae0a5c00560c00',
        offer: sixNfts,
        consideration: sixNfts.map((item) => ({
          ...item,
          recipient: '0xdfdc0b1cf8e9950d6a860af6501c4fecf7825cc1',
        })),
        endTime: '1681983215',
        salt: '1550213294656772168494388599483486699884316127427085531712538817979596',
      }),
      seaport11,
    ),
  },
  {
    title: 'test page: transfer with data of half a byte',
    source: `${dapp}components/ppom/bypasses.js`,
    bytes: 'published',
    content: evmTransaction({ to: thief, value: 0x9184e72a000n, data: '0x1' }),
  },
  {
    title: 'test page: approval with data of half a byte',
    source: `${dapp}components/ppom/bypasses.js`,
    bytes: 'published',
    content: call(
      usdc,
      '0x95ea7b3000000000000000000000000e50a2dbc466d01a34c3e8b7e8e45fce4f7da39e6000000000000000000000000000000000000000000000000ffffffffffffffff',
    ),
  },
  {
    title: 'test page: value without 0x',
    source: `${dapp}components/ppom/bypasses.js`,
    bytes: 'published',
    content: {
      kind: 'evmTransaction',
      action: 'send',
      transaction: { from: wallet, to: thief, chainId: 1, value: 'ffffffffffffff' },
    },
  },
  {
    title: 'test page: permit with a padded chain',
    source: `${dapp}components/ppom/bypasses.js`,
    bytes: 'published',
    content: typed(
      permitTypes,
      {
        owner: wallet,
        spender: '0x1661F1B207629e4F385DA89cFF535C8E5Eb23Ee3',
        value: '1033366316628',
        nonce: 1,
        deadline: 1678709555,
      },
      { name: 'USD Coin', version: '2', chainId: '0x0000000000000001', verifyingContract: usdc },
    ),
    balances: { [usdc]: 1033366316628n },
  },
  {
    title: 'test page: permit with an address as a number',
    source: `${dapp}components/ppom/bypasses.js`,
    bytes: 'published',
    content: permit(
      '917551056842671309452305380979543736893630245704',
      '0x1661F1B207629e4F385DA89cFF535C8E5Eb23Ee3',
      1033366316628n,
    ),
    balances: { [usdc]: 1033366316628n },
  },
  {
    title: 'test page: three malicious calls in one batch',
    source: `${dapp}components/ppom/eip5792.js`,
    bytes: 'published',
    content: {
      kind: 'evmTransactions',
      transactions: [
        [
          usdc,
          '0x095ea7b3000000000000000000000000e50a2dbc466d01a34c3e8b7e8e45fce4f7da39e6000000000000000000000000000000000000000000000000ffffffffffffffff',
        ],
        [
          bored,
          '0xa22cb465000000000000000000000000b85492afc686d5ca405e3cd4f50b05d358c75ede0000000000000000000000000000000000000000000000000000000000000001',
        ],
        [
          '0x000062Accd1a9d62eF428eC86cA3dD4f45120000',
          '0xef5cfb8c0000000000000000000000000b3e87a076ac4b0d1975f0f232444af6deb96c59',
        ],
      ].map(([to, data]) => {
        const { transaction } = call(to as string, data as string)
        return { transaction }
      }),
    },
  },
  {
    title: 'test page: eth_sign of a hash',
    source: `${dapp}components/signatures/eth-sign.js`,
    bytes: 'published',
    content: {
      kind: 'message',
      message: '0x879a053d4800c6354e76c7985a865d2922c82fb5b3f4577b2fe08b998954f2e0',
    },
  },
  {
    title: 'test page: sign-in for another site',
    source: `${dapp}components/signatures/siwe.js`,
    bytes: 'published',
    content: message(
      `metamask.badactor.io wants you to sign in with your Ethereum account:\n${wallet}\n\nI accept the MetaMask Terms of Service: https://community.metamask.io/tos\n\nURI: https://metamask.badactor.io\nVersion: 1\nChain ID: 1\nNonce: 32891757\nIssued At: 2021-09-30T16:25:24.000Z`,
    ),
  },
  {
    title: 'test page: typed data of an invalid type',
    source: `${dapp}components/signatures/malformed-signatures.js`,
    bytes: 'published',
    content: typed(
      { OrderComponents: 'ConsiderationItem[+ consideration' },
      { consideration: [ether('1950000000000000', zero)] },
      seaport15,
    ),
  },
  {
    title: 'test page: typed data with a primary type that is not there',
    source: `${dapp}components/signatures/malformed-signatures.js`,
    bytes: 'published',
    content: {
      kind: 'typedData',
      typedData: {
        domain: { chainId: 1, ...seaport15 },
        types: { Wallet: [{ name: 'name', type: 'string' }] },
        primaryType: 'Non-Existent',
        message: { name: 'Hello, Bob!' },
      },
    },
  },
  {
    title: 'test page: typed data without a primary type',
    source: `${dapp}components/signatures/malformed-signatures.js`,
    bytes: 'published',
    content: {
      kind: 'typedData',
      typedData: {
        domain: { chainId: 1, ...seaport15 },
        types: { Wallet: [{ name: 'name', type: 'string' }] },
        message: { name: 'Hello, Bob!' },
      },
    },
  },
  {
    title: 'test page: typed data with values beyond its types',
    source: `${dapp}components/signatures/malformed-signatures.js`,
    bytes: 'published',
    content: typed(
      { Wallet: 'string name' },
      { name: 'Hello, Bob!', extraData: 'This data is not typed!' },
      seaport15,
    ),
  },
  {
    title: 'test page: typed data for a contract that is a number',
    source: `${dapp}components/signatures/malformed-signatures.js`,
    bytes: 'published',
    content: typed(
      { Wallet: 'string name' },
      { name: 'Hello, Bob!' },
      { ...seaport15, verifyingContract: 1 },
    ),
  },
  {
    title: 'test page: Permit2 batch without a limit',
    source: `${dapp}signatures/utils.js`,
    bytes: 'published',
    content: typed(
      { PermitBatch: 'PermitDetails[] details,address spender,uint256 sigDeadline', PermitDetails: details },
      {
        details: [
          { token: usdc, amount: String(UINT160), expiration: '1722887542', nonce: '5' },
          {
            token: '0xb0b86991c6218b36c1d19d4a2e9eb0ce3606eb48',
            amount: '98765432109876543210',
            expiration: '1722887642',
            nonce: '6',
          },
        ],
        spender: '0x3fc91a3afd70395cd496c647d5a6cc9d4b2b7fad',
        sigDeadline: '1720297342',
      },
      permitDomain,
    ),
  },
  {
    title: 'test page: Permit2 single without a limit',
    source: `${dapp}signatures/utils.js`,
    bytes: 'published',
    content: typed(
      { PermitSingle: 'PermitDetails details,address spender,uint256 sigDeadline', PermitDetails: details },
      {
        details: { token: usdc, amount: String(UINT160), expiration: '1722887542', nonce: '5' },
        spender: '0x3fc91a3afd70395cd496c647d5a6cc9d4b2b7fad',
        sigDeadline: '1720297342',
      },
      permitDomain,
    ),
  },
  {
    title: 'test page: Blur listings under a hash',
    source: `${dapp}signatures/utils.js`,
    bytes: 'published',
    content: typed(
      {
        Order:
          'uint8 assetType,address collection,uint256 expirationTime,bytes32 listingsRoot,MakerFee makerFee,uint256 nonce,uint256 numberOfListings,uint8 orderType,uint256 salt,address trader',
        MakerFee: 'address recipient,uint256 rate',
      },
      {
        assetType: '0',
        collection: '0x8a90cab2b38dba80c64b7734e58ee1db38b8992e',
        expirationTime: '1739484503',
        listingsRoot: '0xf5126e36e0cf3f8ccdf8e3d76c1501c706c15a029fb8139bca7b536776e9eafe',
        makerFee: { recipient: zero, rate: '0' },
        nonce: '0',
        numberOfListings: '1',
        orderType: '1',
        salt: '106171581059276559763059578085820161781',
        trader: wallet,
      },
      {
        name: 'Blur Exchange',
        version: '1.0',
        verifyingContract: '0xb2ecfe4e4d61f8790bbb9de2d1259b9e2410cea5',
      },
    ),
  },
  // Reports of phishing.
  {
    title: 'stETH theft of 2023: increaseAllowance',
    source: stethTheft,
    bytes: 'built',
    content: call(steth, encode('increaseAllowance', thief, 9_579n * 10n ** 18n)),
    balances: { [steth]: 9_579n * 10n ** 18n },
  },
  {
    title: 'stETH theft of 2023: increaseAllowance without a balance that is known',
    source: stethTheft,
    bytes: 'built',
    content: call(steth, encode('increaseAllowance', thief, maxUint256)),
  },
  {
    title: 'fwDETH theft of 2024: permit of all',
    source: 'https://www.binance.com/en/square/post/14774763358506',
    bytes: 'built',
    content: permit('0xe34c8f3DCc28b1f32e8a33c5A8bCD17cAd5e2C0D'.toLowerCase(), thief, 15_079n * 10n ** 18n),
    balances: { '0xe34c8f3dcc28b1f32e8a33c5a8bcd17cad5e2c0d': 15_079n * 10n ** 18n },
  },
  {
    title: 'aEthMKR theft of 2024: permits of all, without a limit',
    source: 'https://binance.com/id/square/post/9895657469225',
    bytes: 'built',
    content: permit('0x8A458A9dc9048e005d22849F470891b840296619', thief, maxUint256),
  },
  {
    title: 'SecurityUpdates: payable SecurityUpdate() that takes the balance',
    source: securityUpdates,
    bytes: 'built',
    content: call(thief, named('SecurityUpdate'), 10n ** 18n),
    trial: { out: [{ kind: 'native', amount: 10n ** 18n }] },
  },
  {
    title: 'payable Claim() that takes the balance',
    source: nativeDrainers,
    bytes: 'built',
    content: call(thief, named('Claim'), 2n * 10n ** 18n),
    trial: { out: [{ kind: 'native', amount: 2n * 10n ** 18n }] },
  },
  {
    title: 'payable Connect() that takes the balance',
    source: nativeDrainers,
    bytes: 'built',
    content: call(thief, named('Connect'), 3n * 10n ** 18n),
    trial: { out: [{ kind: 'native', amount: 3n * 10n ** 18n }] },
  },
  {
    title: 'approval without a limit for an address whose contract comes later (CREATE2)',
    source: 'https://true402.dev/guides/how-crypto-wallet-drainers-work',
    bytes: 'built',
    content: call(usdt, encode('approve', '0x8d5e2d3c2f1b0a9f8e7d6c5b4a39281706f5e4d3', maxUint256)),
  },
  {
    title: 'approval without a limit for a multicall contract that moves it for whoever calls',
    source: checkPoint,
    bytes: 'built',
    content: call(usdt, encode('approve', '0x5BA1e12693Dc8F9c48aAD8770482f4739bEeD696', maxUint256)),
  },
  {
    title: 'permit without a limit for a multicall contract',
    source: 'https://phish-quest.vercel.app/uniswap-multicall-phishing.html',
    bytes: 'built',
    content: permit(usdc, '0x5BA1e12693Dc8F9c48aAD8770482f4739bEeD696', maxUint256),
  },
  {
    title: 'aggregate with transferFrom of the wallet’s tokens',
    shows: [thief, '35000000000'],
    source: checkPoint,
    bytes: 'built',
    content: call(
      '0x5BA1e12693Dc8F9c48aAD8770482f4739bEeD696',
      encode('aggregate', [{ target: usdt, data: encode('transferFrom', wallet, thief, 35_000_000_000n) }]),
    ),
    trial: { out: [{ kind: 'erc20', token: usdt, amount: 35_000_000_000n }] },
  },
  {
    title: 'aggregate3 with an approval',
    source: checkPoint,
    bytes: 'built',
    content: call(
      '0xcA11bde05977b3631167028862bE2a173976CA11',
      encode('aggregate3', [{ target: usdt, allowFailure: true, data: mayTakeAll }]),
    ),
  },
  {
    title: 'Seaport order for nothing',
    source: zengo,
    bytes: 'built',
    content: typed(orderTypes, order({}), seaport15),
  },
  {
    title: 'Seaport order that pays the thief',
    source: zengo,
    bytes: 'built',
    content: typed(orderTypes, order({ consideration: [ether('90000000000000000000', thief)] }), seaport15),
  },
  {
    title: 'Seaport order that gives ERC-20 tokens for nothing',
    source: zengo2,
    bytes: 'built',
    content: typed(
      orderTypes,
      order({
        offer: [
          {
            itemType: '1',
            token: '0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2',
            identifierOrCriteria: '0',
            startAmount: '5000000000000000000',
            endAmount: '5000000000000000000',
          },
        ],
      }),
      seaport15,
    ),
  },
  {
    title: 'Seaport bulk order for one wei each',
    source: 'https://scamencyclopedia.org/guides/ice-phishing-impersonating-opensea',
    bytes: 'built',
    content: typed(
      { BulkOrder: 'OrderComponents[2] tree', ...orderTypes },
      { tree: [order({}), order({ offer: [nft(doodle, '1')] })] },
      seaport15,
    ),
  },
  {
    title: 'Blur bulk listing: a root hash alone',
    source:
      'https://github.com/MetaMask/test-dapp/blob/2252b59ca8a0d23a6186cc54731fcc9af29c5501/src/signatures/utils.js',
    bytes: 'built',
    content: typed(
      { Root: 'bytes32 root' },
      { root: '0xf5126e36e0cf3f8ccdf8e3d76c1501c706c15a029fb8139bca7b536776e9eafe' },
      {
        name: 'Blur Exchange',
        version: '1.0',
        verifyingContract: '0x000000000000Ad05Ccc4F10045630fb830B95127',
      },
    ),
  },
  {
    title: 'NFT that is sent to the thief as a claim',
    source: drainerKinds,
    bytes: 'built',
    content: call(bored, encode('safeTransferFrom', wallet, thief, 7n)),
    shows: [thief, String(7n)],
  },
  {
    title: 'NFTs of a contract that are sent to the thief in one call',
    shows: [thief, '1', '2', '3', '4'],
    source: drainerKinds,
    bytes: 'built',
    content: call(
      '0x76BE3b62873462d2142405439777e971754E8E77',
      encode('safeBatchTransferFrom', wallet, thief, [1n, 2n, 3n], [1n, 1n, 4n], '0x'),
    ),
    trial: {
      out: [1n, 2n, 3n].map((id) => ({
        kind: 'erc1155',
        token: '0x76BE3b62873462d2142405439777e971754E8E77',
        id,
        amount: 1n,
      })),
    },
  },
  {
    title: 'Permit2 approval on the chain without a limit',
    source: 'https://www.gorganizer.net/explain/erc20-permit-eip712-signature-lure',
    bytes: 'built',
    content: call(permit2, encode('approve', usdc, thief, UINT160, 1_900_000_000)),
  },
  {
    title: 'Permit2 transfer that anyone who has the signature takes',
    source: 'https://www.gorganizer.net/explain/erc20-permit-eip712-signature-lure',
    bytes: 'built',
    content: typed(
      {
        PermitBatchTransferFrom:
          'TokenPermissions[] permitted,address spender,uint256 nonce,uint256 deadline',
        TokenPermissions: 'address token,uint256 amount',
      },
      {
        permitted: [
          { token: usdc, amount: String(maxUint256) },
          { token: usdt, amount: '35000000000' },
        ],
        spender: thief,
        nonce: 1,
        deadline: 1_900_000_000,
      },
      permitDomain,
    ),
  },
  {
    title: 'address poisoning: 20 million USDT for a look-alike',
    source: poisoning,
    bytes: 'built',
    content: call(
      usdt,
      encode('transfer', '0xa7Bf48749D2E4aA29e3209879956b9bAa9E90570', 20_000_000_000_000n),
    ),
    shows: ['0xa7Bf48749D2E4aA29e3209879956b9bAa9E90570', String(20_000_000_000_000n)],
  },
  {
    title: 'address poisoning: nothing for a look-alike, from the wallet',
    source:
      'https://coinpectra.com/explained/a-crypto-scam-that-doesnt-need-private-keys-how-does-zero-value-transfer-work',
    bytes: 'built',
    content: call(usdt, encode('transferFrom', wallet, '0xa7Bf48749D2E4aA29e3209879956b9bAa9E90570', 0n)),
    shows: ['0xa7Bf48749D2E4aA29e3209879956b9bAa9E90570', String(0n)],
  },
  // Accounts of several owners.
  {
    title: 'Bybit 2025: the SafeTx that its owners signed',
    source: bybitSource,
    bytes: 'published',
    wallet: '0x1F4EB0a903619ac168b19A82F1a6e2e426522211',
    content: safeTx({ to: bybitTrojan, data: bybitCall, operation: 1 }),
  },
  {
    title: 'Bybit 2025: execTransaction with a delegate call',
    source: bybitSource,
    bytes: 'published',
    content: call(
      bybitSafe,
      encode(
        'execTransaction',
        bybitTrojan,
        0n,
        bybitCall,
        1,
        45_746n,
        0n,
        0n,
        zero,
        zero,
        '0xd0afef78a52fd504479dc2af3dc401334762cbd05609c7ac18db9ec5abf4a07a5cc09fc86efd3489707b89b0c729faed616459189cb50084f208d03b201b001f1f0f62ad358d6b319d3c1221d44456080068fe02ae5b1a39b4afb1e6721ca7f9903ac523a801533f265231cd35fc2dfddc3bd9a9563b51315cf9d5ff23dc6d2c221fdf9e4b878877a8dbeee951a4a31ddbf1d3b71e127d5eda44b4730030114baba52e06dd23da37cd2a07a6e84f9950db867374a0f77558f42adf4409bfd569673c1f',
      ),
    ),
  },
  {
    title: 'Radiant 2024: SafeTx with transferOwnership of the provider of its lending pools',
    source: radiant,
    bytes: 'built',
    content: safeTx(
      { to: '0x091d52CacE1edc5527C99cDCFA6937C1635330E4', data: encode('transferOwnership', thief) },
      '0x111CEEee040739fD91D29C34C33E6B3E112F2177',
    ),
  },
  {
    title: 'Radiant 2024: execTransaction with transferOwnership',
    source: radiant,
    bytes: 'built',
    content: call(
      '0x111CEEee040739fD91D29C34C33E6B3E112F2177',
      encode(
        'execTransaction',
        '0x091d52CacE1edc5527C99cDCFA6937C1635330E4',
        0n,
        encode('transferOwnership', thief),
        0,
        0n,
        0n,
        0n,
        zero,
        zero,
        '0x',
      ),
      0n,
      { chainId: 42161 },
    ),
  },
  {
    title: 'WazirX 2024: SafeTx with a delegate call in the name of a USDT transfer',
    source:
      'https://thebittimes.com/a-single-malicious-transaction-led-to-230m-drained-from-wazirx-tbt97123.html',
    bytes: 'built',
    content: safeTx({
      to: '0xef279c2aB14960Aa319008cBEA384b9f8ac35FC6'.toLowerCase(),
      data: encode('transfer', '0x35fEbC10112302E0d69F35F42cCE85816F8745CA'.toLowerCase(), 1n),
      operation: 1,
    }),
  },
  {
    title: 'Safe: multiSend with enableModule and a transfer of all ether',
    source:
      'https://updraft.cyfrin.io/courses/advanced-web3-wallet-security/signer-advanced/case-study-bybit-hack',
    bytes: 'built',
    content: safeTx({
      to: '0x40A2aCCbd92BCA938b02010E17A5b8929b49130D',
      operation: 1,
      data: encode(
        'multiSend',
        `0x${packedSend(bybitSafe, 0n, encode('enableModule', thief))}${packedSend(thief, 401_346n * 10n ** 18n, '0x')}`,
      ),
    }),
  },
  // EIP-7702.
  {
    title: 'EIP-7702: authorization of a contract that sends ether on',
    source: 'https://defihacklabs.substack.com/p/top-7702-delegator-revealed-as-phishing',
    bytes: 'published',
    content: { kind: 'authorization', authorization: { chainId: 1, contractAddress: drainer7702, nonce: 0 } },
  },
  {
    title: 'EIP-7702: authorization for all chains',
    source: 'https://arxiv.org/html/2512.12174v1',
    bytes: 'built',
    content: { kind: 'authorization', authorization: { chainId: 0, contractAddress: drainer7702, nonce: 0 } },
  },
  {
    title: 'EIP-7702: transaction that brings its own authorization',
    source: 'https://www.tokenpocket.pro/en/blog/eip-7702-batch-approval-scam-and-prevention-guide',
    bytes: 'built',
    content: evmTransaction({
      to: wallet,
      type: 4,
      data: encode('executeBatch', [{ target: usdc, value: 0n, data: mayTakeAll }]),
      authorizationList: [{ chainId: 1, address: drainer7702, nonce: '0x1' }],
    }),
  },
  {
    title: 'EIP-7702: batch of the wallet’s own that sends its tokens, said to be a swap',
    source: scamSniffer7702,
    bytes: 'built',
    content: call(wallet, encode('execute', `0x01${'0'.repeat(62)}`, batch7579)),
    shows: [thief, '900000000', String(9_579n * 10n ** 18n), String(10n ** 18n)],
  },
  {
    title: 'EIP-7702: batch of the wallet’s own with approvals',
    source: 'https://www.tokenpocket.pro/en/blog/eip-7702-batch-approval-scam-and-prevention-guide',
    bytes: 'built',
    content: call(
      wallet,
      encode('executeBatch', [
        { target: usdc, value: 0n, data: mayTakeAll },
        { target: usdt, value: 0n, data: mayTakeAll },
        { target: bored, value: 0n, data: encode('setApprovalForAll', thief, true) },
      ]),
    ),
  },
  {
    title: 'EIP-7702: execute of the wallet’s own that sends its ether',
    source: 'https://arxiv.org/html/2512.12174v1',
    bytes: 'built',
    content: call(wallet, encode('execute', thief, 100n * 10n ** 18n, '0x')),
    shows: [thief, String(100n * 10n ** 18n)],
  },
  {
    title: 'OpenSea 2022: Wyvern order with a call of the thief’s own, under an eth_sign hash',
    source: zengo,
    bytes: 'built',
    content: { kind: 'message', message: word },
  },
  {
    title: 'text in hex that hides a hash',
    source: drainerKinds,
    bytes: 'built',
    content: { kind: 'typedData', typedData: word },
  },
  {
    title: 'Aave credit delegation for the thief',
    source:
      'issue 39 of this project, with the function of https://aave.com/docs/aave-v3/smart-contracts/tokenization',
    bytes: 'built',
    content: call(
      '0x72E95b8931767C79bA4EeE721354d6E99a61D004',
      encode('approveDelegation', thief, maxUint256),
    ),
    trial: { allowances: [{ kind: 'delegate', spender: thief, amount: maxUint256, isUnlimited: true }] },
  },
]
