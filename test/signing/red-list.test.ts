/** The red list: every dangerous shape has a reading of its own and, first, a warning in words of the right severity. */
import { PublicKey, SystemProgram, Transaction, TransactionInstruction } from '@solana/web3.js'
import { encodeAbiParameters, encodeFunctionData, maxUint256, parseAbi, parseAbiParameters } from 'viem'
import { describe, expect, test } from 'vitest'
import { transaction as words } from '../../src/copy/en/transaction.ts'
import { parseTypedData } from '../../src/ethereum/typed-data.ts'
import { rankWarnings, type Warning } from '../../src/signing/preview.ts'
import { toSolanaPreview } from '../../src/signing/solana/preview.ts'
import { toPreview } from '../../src/signing/transaction/preview.ts'
import { previewTypedData } from '../../src/signing/typed-data/preview.ts'
import { readSignableMessage, reviewMessage } from '../../src/solana/review.ts'
import { solanaBlockhash, solanaKeys, transferTo } from '../support/solana-node.ts'

const wallet = '0x71C7656EC7ab88b098defB751B7401B5f6d8976F'
const other = '0xE592427A0AEce92De3Edee1F18E0157C05861564'
const token = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48'
const nft = '0xBC4CA0EdA7647A8aB7C2061c2E118A18a936f13D'
const permit2 = '0x000000000022D473030F116dDEE9F6B43aC78BA3'
const zero = `0x${'0'.repeat(40)}`
const word = `0x${'5a'.repeat(32)}`
const UINT160 = (1n << 160n) - 1n

const struct = (text: string) =>
  text.split(',').map((field) => {
    const [type = '', name = ''] = field.split(' ')
    return { name, type }
  })
/** Typed data; the first struct is the primary one. */
const typed = (types: Record<string, string>, message: object, contract: string = token) => ({
  domain: { name: 'Test', chainId: 1, verifyingContract: contract },
  types: Object.fromEntries(Object.entries(types).map(([name, text]) => [name, struct(text)])),
  primaryType: Object.keys(types)[0] ?? '',
  message,
})
const details = 'address token,uint160 amount,uint48 expiration,uint48 nonce'
const permissions = 'address token,uint256 amount'
const offer =
  'uint8 itemType,address token,uint256 identifierOrCriteria,uint256 startAmount,uint256 endAmount'
const components =
  'address offerer,address zone,OfferItem[] offer,ConsiderationItem[] consideration,uint8 orderType,uint256 startTime,uint256 endTime,bytes32 zoneHash,uint256 salt,bytes32 conduitKey,uint256 counter'
const seaport = { OfferItem: offer, ConsiderationItem: `${offer},address recipient` }
/** One NFT for nothing that comes back to the one who offers it. */
const giveaway = {
  offerer: wallet,
  zone: zero,
  offer: [{ itemType: 2, token: nft, identifierOrCriteria: 7, startAmount: 1, endAmount: 1 }],
  consideration: [],
  orderType: 0,
  startTime: 0,
  endTime: 1_900_000_000,
  zoneHash: word,
  salt: 1,
  conduitKey: word,
  counter: 0,
}
const single = (amount: bigint) => ({
  details: { token, amount: String(amount), expiration: 1_900_000_000, nonce: 0 },
  spender: other,
  sigDeadline: 1_900_000_000,
})
const permitted = (amount: bigint) => ({ token, amount: String(amount) })
const base = { spender: other, nonce: 1, deadline: 1_900_000_000 }
const authorization = {
  from: wallet,
  to: other,
  value: 5,
  validAfter: 0,
  validBefore: 1_900_000_000,
  nonce: word,
}
const safe =
  'address to,uint256 value,bytes data,uint8 operation,uint256 safeTxGas,uint256 baseGas,uint256 gasPrice,address gasToken,address refundReceiver,uint256 nonce'
const safeCall = {
  to: other,
  value: 0,
  data: '0x',
  operation: 0,
  safeTxGas: 0,
  baseGas: 0,
  gasPrice: 0,
  gasToken: zero,
  refundReceiver: zero,
  nonce: 1,
}
const cow =
  'address sellToken,address buyToken,address receiver,uint256 sellAmount,uint256 buyAmount,uint32 validTo,bytes32 appData,uint256 feeAmount,string kind,bool partiallyFillable,string sellTokenBalance,string buyTokenBalance'
const cowOrder = {
  sellToken: token,
  buyToken: nft,
  receiver: wallet,
  sellAmount: 5,
  buyAmount: 6,
  validTo: 1_900_000_000,
  appData: word,
  feeAmount: 0,
  kind: 'sell',
  partiallyFillable: false,
  sellTokenBalance: 'erc20',
  buyTokenBalance: 'erc20',
}
const limitOrder =
  'address makerToken,address takerToken,uint128 makerAmount,uint128 takerAmount,uint128 takerTokenFeeAmount,address maker,address taker,address sender,address feeRecipient,bytes32 pool,uint64 expiry,uint256 salt'
const blur =
  'address trader,uint8 side,address matchingPolicy,address collection,uint256 tokenId,uint256 amount,address paymentToken,uint256 price,uint256 listingTime,uint256 expirationTime,Fee[] fees,uint256 salt,bytes extraParams,uint256 nonce'
const blurSale = {
  trader: wallet,
  side: 1,
  matchingPolicy: other,
  collection: nft,
  tokenId: 7,
  amount: 1,
  paymentToken: zero,
  price: 0,
  listingTime: 0,
  expirationTime: 1_900_000_000,
  fees: [],
  salt: 1,
  extraParams: '0x',
  nonce: 0,
}
const packed =
  'address sender,uint256 nonce,bytes initCode,bytes callData,bytes32 accountGasLimits,uint256 preVerificationGas,bytes32 gasFees,bytes paymasterAndData'
const delegation = 'address delegate,address delegator,bytes32 authority,Caveat[] caveats,uint256 salt'
const spend =
  'address account,address spender,address token,uint160 allowance,uint48 period,uint48 start,uint48 end,uint256 salt,bytes extraData'
const spendPermission = (allowance: bigint) => ({
  account: wallet,
  spender: other,
  token,
  allowance: String(allowance),
  period: 86_400,
  start: 0,
  end: 1_900_000_000,
  salt: 1,
  extraData: '0x',
})

const limitless = encodeFunctionData({
  abi: parseAbi(['function approve(address spender, uint256 amount)']),
  args: [other, maxUint256],
})

type Row = readonly [data: object, first: string, kind: string]
const messages: Record<string, Row> = {
  'EIP-2612 permit without a limit': [
    typed(
      { Permit: 'address owner,address spender,uint256 value,uint256 nonce,uint256 deadline' },
      { owner: wallet, spender: other, value: String(maxUint256), nonce: 0, deadline: 1_900_000_000 },
    ),
    'danger unlimited-allowance',
    'permit',
  ],
  'EIP-2612 permit of unknown reach': [
    typed(
      { Permit: 'address owner,address spender,uint256 value,uint256 nonce,uint256 deadline' },
      { owner: wallet, spender: other, value: 5, nonce: 0, deadline: 1_900_000_000 },
    ),
    'warning allowance',
    'permit',
  ],
  'DAI permit': [
    typed(
      { Permit: 'address holder,address spender,uint256 nonce,uint256 expiry,bool allowed' },
      { holder: wallet, spender: other, nonce: 0, expiry: 0, allowed: true },
    ),
    'danger unlimited-allowance',
    'permit',
  ],
  'PermitSingle without a limit': [
    typed(
      { PermitSingle: 'PermitDetails details,address spender,uint256 sigDeadline', PermitDetails: details },
      single(UINT160),
      permit2,
    ),
    'danger unlimited-allowance',
    'permit',
  ],
  'PermitBatch without a limit': [
    typed(
      { PermitBatch: 'PermitDetails[] details,address spender,uint256 sigDeadline', PermitDetails: details },
      { ...single(0n), details: [single(5n).details, single(UINT160).details] },
      permit2,
    ),
    'danger unlimited-allowance',
    'token',
  ],
  PermitTransferFrom: [
    typed(
      {
        PermitTransferFrom: 'TokenPermissions permitted,address spender,uint256 nonce,uint256 deadline',
        TokenPermissions: permissions,
      },
      { ...base, permitted: permitted(maxUint256) },
      permit2,
    ),
    'danger unlimited-allowance',
    'permit',
  ],
  PermitBatchTransferFrom: [
    typed(
      {
        PermitBatchTransferFrom:
          'TokenPermissions[] permitted,address spender,uint256 nonce,uint256 deadline',
        TokenPermissions: permissions,
      },
      { ...base, permitted: [permitted(5n), permitted(6n)] },
      permit2,
    ),
    'warning allowance',
    'token',
  ],
  PermitWitnessTransferFrom: [
    typed(
      {
        PermitWitnessTransferFrom:
          'TokenPermissions permitted,address spender,uint256 nonce,uint256 deadline,Bet witness',
        TokenPermissions: permissions,
        Bet: 'uint256 stake',
      },
      { ...base, permitted: permitted(maxUint256), witness: { stake: 1 } },
      permit2,
    ),
    'danger unlimited-allowance',
    'token',
  ],
  PermitBatchWitnessTransferFrom: [
    typed(
      {
        PermitBatchWitnessTransferFrom:
          'TokenPermissions[] permitted,address spender,uint256 nonce,uint256 deadline,Bet witness',
        TokenPermissions: permissions,
        Bet: 'uint256 stake',
      },
      { ...base, permitted: [permitted(5n)], witness: { stake: 1 } },
      permit2,
    ),
    'warning allowance',
    'token',
  ],
  TransferWithAuthorization: [
    typed(
      {
        TransferWithAuthorization:
          'address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce',
      },
      authorization,
    ),
    'warning signed-transfer',
    'token',
  ],
  ReceiveWithAuthorization: [
    typed(
      {
        ReceiveWithAuthorization:
          'address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce',
      },
      authorization,
    ),
    'warning signed-transfer',
    'token',
  ],
  CancelAuthorization: [
    typed({ CancelAuthorization: 'address authorizer,bytes32 nonce' }, { authorizer: wallet, nonce: word }),
    'none',
    'revocation',
  ],
  'Seaport order for nothing': [
    typed({ OrderComponents: components, ...seaport }, giveaway, other),
    'danger sell-order-without-price',
    'order',
  ],
  'Seaport bulk order': [
    typed(
      { BulkOrder: 'OrderComponents[2] tree', OrderComponents: components, ...seaport },
      { tree: [giveaway, { ...giveaway, offer: [], consideration: [] }] },
      other,
    ),
    'danger sell-order-without-price',
    'order',
  ],
  'Blur sale for nothing': [
    typed({ Order: blur, Fee: 'uint16 rate,address recipient' }, blurSale, other),
    'danger sell-order-without-price',
    'order',
  ],
  '0x limit order': [
    typed(
      { LimitOrder: limitOrder },
      {
        makerToken: token,
        takerToken: nft,
        makerAmount: 5,
        takerAmount: 6,
        takerTokenFeeAmount: 0,
        maker: wallet,
        taker: zero,
        sender: zero,
        feeRecipient: zero,
        pool: word,
        expiry: 1_900_000_000,
        salt: 1,
      },
      other,
    ),
    'warning order',
    'order',
  ],
  '0x sale of an NFT for nothing': [
    typed(
      {
        ERC721Order:
          'uint8 direction,address maker,address taker,uint256 expiry,uint256 nonce,address erc20Token,uint256 erc20TokenAmount,address erc721Token,uint256 erc721TokenId',
      },
      {
        direction: 0,
        maker: wallet,
        taker: zero,
        expiry: 1_900_000_000,
        nonce: 1,
        erc20Token: token,
        erc20TokenAmount: 0,
        erc721Token: nft,
        erc721TokenId: 7,
      },
      other,
    ),
    'danger sell-order-without-price',
    'order',
  ],
  '0x order of packed assets': [
    typed(
      { Order: 'address makerAddress,bytes makerAssetData,bytes takerAssetData' },
      { makerAddress: wallet, makerAssetData: '0x1234', takerAssetData: '0x5678' },
      other,
    ),
    'danger unreadable-order',
    'order',
  ],
  'CoW order that pays someone else': [
    typed({ Order: cow }, { ...cowOrder, receiver: other }, other),
    'danger proceeds-elsewhere',
    'order',
  ],
  'CoW order': [typed({ Order: cow }, cowOrder, other), 'warning order', 'order'],
  'SafeTx that is a delegate call': [
    typed({ SafeTx: safe }, { ...safeCall, operation: 1 }, other),
    'danger delegate-call',
    'account',
  ],
  SafeTx: [typed({ SafeTx: safe }, safeCall, other), 'warning safe-transaction', 'account'],
  'SpendPermission without a limit': [
    typed({ SpendPermission: spend }, spendPermission(UINT160), other),
    'danger open-delegation',
    'delegation',
  ],
  SpendPermission: [
    typed({ SpendPermission: spend }, spendPermission(5n), other),
    'warning delegation',
    'delegation',
  ],
  SpendPermissionBatch: [
    typed(
      {
        SpendPermissionBatch:
          'address account,uint48 period,uint48 start,uint48 end,PermissionDetails[] permissions',
        PermissionDetails: 'address spender,address token,uint160 allowance,uint256 salt,bytes extraData',
      },
      {
        account: wallet,
        period: 1,
        start: 0,
        end: 1,
        permissions: [{ spender: other, token, allowance: String(UINT160), salt: 1, extraData: '0x' }],
      },
      other,
    ),
    'danger open-delegation',
    'delegation',
  ],
  'ERC-7710 delegation without a caveat': [
    typed(
      { Delegation: delegation, Caveat: 'address enforcer,bytes terms' },
      { delegate: other, delegator: wallet, authority: word, caveats: [], salt: 1 },
      other,
    ),
    'danger open-delegation',
    'delegation',
  ],
  PackedUserOperation: [
    typed(
      { PackedUserOperation: packed },
      {
        sender: wallet,
        nonce: 1,
        initCode: '0x',
        callData: '0x',
        accountGasLimits: word,
        preVerificationGas: 1,
        gasFees: word,
        paymasterAndData: '0x',
      },
      other,
    ),
    'warning user-operation',
    'account',
  ],
  'session key': [
    typed({ EnableSession: 'address account,bytes32 hash' }, { account: wallet, hash: word }, other),
    'danger session-key',
    'delegation',
  ],
  'Authorization of Morpho': [
    typed(
      {
        Authorization:
          'address authorizer,address authorized,bool isAuthorized,uint256 nonce,uint256 deadline',
      },
      { authorizer: wallet, authorized: other, isAuthorized: true, nonce: 0, deadline: 1_900_000_000 },
    ),
    'danger unlimited-allowance',
    'token',
  ],
  'Authorization of Morpho that is taken back': [
    typed(
      {
        Authorization:
          'address authorizer,address authorized,bool isAuthorized,uint256 nonce,uint256 deadline',
      },
      { authorizer: wallet, authorized: other, isAuthorized: false, nonce: 0, deadline: 1_900_000_000 },
    ),
    'none',
    'token',
  ],
  'Authorization of Comet': [
    typed(
      { Authorization: 'address owner,address manager,bool isAllowed,uint256 nonce,uint256 expiry' },
      { owner: wallet, manager: other, isAllowed: true, nonce: 0, expiry: 1_900_000_000 },
    ),
    'danger unlimited-allowance',
    'token',
  ],
  'PermitForAll of NFTs': [
    typed(
      { PermitForAll: 'address owner,address operator,bool approved,uint256 nonce,uint256 deadline' },
      { owner: wallet, operator: other, approved: true, nonce: 0, deadline: 1_900_000_000 },
    ),
    'danger unlimited-allowance',
    'token',
  ],
  'permit for one NFT': [
    typed(
      { Permit: 'address spender,uint256 tokenId,uint256 nonce,uint256 deadline' },
      { spender: other, tokenId: 7, nonce: 0, deadline: 1_900_000_000 },
    ),
    'warning allowance',
    'token',
  ],
  'DelegationWithSig of Aave': [
    typed(
      { DelegationWithSig: 'address delegatee,uint256 value,uint256 nonce,uint256 deadline' },
      { delegatee: other, value: 5, nonce: 0, deadline: 1_900_000_000 },
    ),
    'warning allowance',
    'token',
  ],
  'DelegationWithSig of Aave without a limit': [
    typed(
      { DelegationWithSig: 'address delegatee,uint256 value,uint256 nonce,uint256 deadline' },
      { delegatee: other, value: String(maxUint256), nonce: 0, deadline: 1_900_000_000 },
    ),
    'danger unlimited-allowance',
    'token',
  ],
  'ApproveAgent of Hyperliquid': [
    typed(
      {
        'HyperliquidTransaction:ApproveAgent':
          'string hyperliquidChain,address agentAddress,string agentName,uint64 nonce',
      },
      { hyperliquidChain: 'Mainnet', agentAddress: other, agentName: 'x', nonce: 1 },
      zero,
    ),
    'danger open-delegation',
    'delegation',
  ],
  'ApproveBuilderFee of Hyperliquid': [
    typed(
      {
        'HyperliquidTransaction:ApproveBuilderFee':
          'string hyperliquidChain,string maxFeeRate,address builder,uint64 nonce',
      },
      { hyperliquidChain: 'Mainnet', maxFeeRate: '0.1%', builder: other, nonce: 1 },
      zero,
    ),
    'warning fee-delegation',
    'delegation',
  ],
  'ConvertToMultiSigUser of Hyperliquid': [
    typed(
      {
        'HyperliquidTransaction:ConvertToMultiSigUser': 'string hyperliquidChain,string signers,uint64 nonce',
      },
      { hyperliquidChain: 'Mainnet', signers: other, nonce: 1 },
      zero,
    ),
    'danger control-change',
    'control',
  ],
  'UsdSend of Hyperliquid': [
    typed(
      {
        'HyperliquidTransaction:UsdSend':
          'string hyperliquidChain,string destination,string amount,uint64 time',
      },
      { hyperliquidChain: 'Mainnet', destination: other, amount: '1000000', time: 1 },
      zero,
    ),
    'warning signed-transfer',
    'payment',
  ],
  'Withdraw of Hyperliquid': [
    typed(
      {
        'HyperliquidTransaction:Withdraw':
          'string hyperliquidChain,string destination,string amount,uint64 time',
      },
      { hyperliquidChain: 'Mainnet', destination: other, amount: '1000000', time: 1 },
      zero,
    ),
    'warning signed-transfer',
    'payment',
  ],
  'SpotSend of Hyperliquid': [
    typed(
      {
        'HyperliquidTransaction:SpotSend':
          'string hyperliquidChain,string destination,string token,string amount,uint64 time',
      },
      { hyperliquidChain: 'Mainnet', destination: other, token: 'HYPE:0x0d', amount: '5.5', time: 1 },
      zero,
    ),
    'warning signed-transfer',
    'payment',
  ],
  SetOwner: [typed({ SetOwner: 'address owner' }, { owner: other }), 'danger control-change', 'control'],
  'TransferOwnership by its wallet': [
    typed(
      { TransferOwnership: 'address from,address newOwner,uint256 nonce' },
      { from: wallet, newOwner: other, nonce: 1 },
    ),
    'danger control-change',
    'control',
  ],
  AddSigner: [typed({ AddSigner: 'address signer' }, { signer: other }), 'danger control-change', 'control'],
  'delegation of votes': [
    typed(
      { Delegation: 'address delegatee,uint256 nonce,uint256 expiry' },
      { delegatee: other, nonce: 0, expiry: 1_900_000_000 },
    ),
    'warning votes-delegation',
    'delegation',
  ],
  'ForwardRequest around an approval without a limit': [
    typed(
      { ForwardRequest: 'address from,address to,uint256 value,uint256 gas,uint256 nonce,bytes data' },
      { from: wallet, to: token, value: 0, gas: 1, nonce: 0, data: limitless },
      other,
    ),
    'danger unlimited-allowance',
    'account',
  ],
  'ForwardRequest with a deadline around a call that nobody knows': [
    typed(
      {
        ForwardRequest:
          'address from,address to,uint256 value,uint256 gas,uint256 nonce,uint48 deadline,bytes data',
      },
      { from: wallet, to: token, value: 0, gas: 1, nonce: 0, deadline: 1, data: '0xdeadbeef' },
      other,
    ),
    'warning user-operation',
    'account',
  ],
  'MetaTransaction around an approval without a limit': [
    typed(
      { MetaTransaction: 'uint256 nonce,address from,bytes functionSignature' },
      { nonce: 0, from: wallet, functionSignature: limitless },
    ),
    'danger unlimited-allowance',
    'token',
  ],
  'ERC-7739 around a giveaway': [
    typed(
      {
        TypedDataSign:
          'OrderComponents contents,string name,string version,uint256 chainId,address verifyingContract,bytes32 salt',
        OrderComponents: components,
        ...seaport,
      },
      {
        contents: giveaway,
        name: 'Account',
        version: '1',
        chainId: 1,
        verifyingContract: wallet,
        salt: word,
      },
      other,
    ),
    'danger sell-order-without-price',
    'order',
  ],
}

const abi = parseAbi([
  'function approve(address spender, uint256 amount)',
  'function increaseAllowance(address spender, uint256 amount)',
  'function setApprovalForAll(address operator, bool approved)',
  'function permit(address owner, address spender, uint256 value, uint256 deadline, uint8 v, bytes32 r, bytes32 s)',
  'function permit(address holder, address spender, uint256 nonce, uint256 expiry, bool allowed, uint8 v, bytes32 r, bytes32 s)',
  'function approve(address token, address spender, uint160 amount, uint48 expiration)',
  'function multicall(bytes[] data)',
  'function execute(address target, uint256 value, bytes data)',
  'function execute(bytes32 mode, bytes execution)',
  'function aggregate((address target, bytes data)[] calls)',
  'function execTransaction(address to, uint256 value, bytes data, uint8 operation, uint256 safeTxGas, uint256 baseGas, uint256 gasPrice, address gasToken, address refundReceiver, bytes signatures)',
  'function transferOwnership(address newOwner)',
  'function upgradeTo(address code)',
  'function upgradeToAndCall(address code, bytes data)',
  'function changeAdmin(address newAdmin)',
  'function enableModule(address module)',
  'function addOwnerWithThreshold(address owner, uint256 threshold)',
  'function installModule(uint256 kind, address module, bytes data)',
])
const encode = (functionName: string, ...args: unknown[]) =>
  encodeFunctionData({ abi, functionName, args } as never) as `0x${string}`
const known = (signature: string, ...args: unknown[]) =>
  encodeFunctionData({ abi: parseAbi([`function ${signature}`] as readonly string[]), args } as never)
const setup = (payment: bigint) =>
  known(
    'setup(address[] owners,uint256 threshold,address to,bytes data,address fallback,address token,uint256 payment,address receiver)',
    [other],
    1n,
    zero,
    '0x',
    zero,
    token,
    payment,
    other,
  )
const permitSingle = (amount: bigint) =>
  encodeFunctionData({
    abi: parseAbi([
      'function permit(address owner, ((address token, uint160 amount, uint48 expiration, uint48 nonce) details, address spender, uint256 sigDeadline) permitSingle, bytes signature)',
    ]),
    args: [
      wallet,
      {
        details: { token, amount, expiration: 1_900_000_000, nonce: 0 },
        spender: other,
        sigDeadline: 1n,
      },
      '0x1234',
    ],
  })
const all = encode('approve', other, maxUint256)
const own = encode('transferOwnership', other)
const batchOf7579 = encodeAbiParameters(parseAbiParameters('(address target, uint256 value, bytes data)[]'), [
  [{ target: token, value: 0n, data: all }],
])

type CallRow = readonly [data: `0x${string}`, first: string, kind: string, to?: string]
const calls: Record<string, CallRow> = {
  'approve without a limit': [all, 'danger unlimited-allowance', 'token'],
  'approve of unknown reach': [encode('approve', other, 5n), 'warning allowance', 'token'],
  increaseAllowance: [encode('increaseAllowance', other, maxUint256), 'danger unlimited-allowance', 'token'],
  setApprovalForAll: [encode('setApprovalForAll', other, true), 'danger unlimited-allowance', 'token'],
  'permit of EIP-2612': [
    encode('permit', wallet, other, maxUint256, 1n, 27, word, word),
    'danger unlimited-allowance',
    'token',
  ],
  'permit of DAI': [
    encode('permit', wallet, other, 0n, 0n, true, 27, word, word),
    'danger unlimited-allowance',
    'token',
  ],
  'permit of Permit2': [permitSingle(UINT160), 'danger unlimited-allowance', 'token', permit2],
  'approve of Permit2': [
    encode('approve', token, other, UINT160, 1_900_000_000),
    'danger unlimited-allowance',
    'token',
    permit2,
  ],
  'allowance in a multicall': [encode('multicall', [all]), 'danger unlimited-allowance', 'token'],
  'allowance in execute': [encode('execute', token, 0n, all), 'danger unlimited-allowance', 'token', wallet],
  'allowance in execute of ERC-7579': [
    encode('execute', `0x01${'0'.repeat(62)}`, batchOf7579),
    'danger unlimited-allowance',
    'token',
    wallet,
  ],
  'allowance in aggregate': [
    encode('aggregate', [{ target: token, data: all }]),
    'danger unlimited-allowance',
    'token',
    other,
  ],
  'change of owner in execTransaction': [
    encode('execTransaction', token, 0n, own, 0, 0n, 0n, 0n, zero, zero, '0x'),
    'danger control-change',
    'control',
    other,
  ],
  'delegate call of execTransaction': [
    encode('execTransaction', token, 0n, '0x', 1, 0n, 0n, 0n, zero, zero, '0x'),
    'danger delegate-call',
    'call',
    other,
  ],
  transferOwnership: [own, 'danger control-change', 'control'],
  upgradeTo: [encode('upgradeTo', other), 'danger control-change', 'control'],
  upgradeToAndCall: [encode('upgradeToAndCall', other, '0x'), 'danger control-change', 'control'],
  changeAdmin: [encode('changeAdmin', other), 'danger control-change', 'control'],
  enableModule: [encode('enableModule', other), 'danger control-change', 'control'],
  addOwnerWithThreshold: [encode('addOwnerWithThreshold', other, 1n), 'danger control-change', 'control'],
  installModule: [encode('installModule', 1n, other, '0x'), 'danger control-change', 'control'],
  'authorizeOperator of ERC-777': [
    known('authorizeOperator(address operator)', other),
    'danger unlimited-allowance',
    'token',
  ],
  'revokeOperator of ERC-777': [known('revokeOperator(address operator)', other), 'none', 'token'],
  'send of ERC-777': [known('send(address to,uint256 amount,bytes data)', other, 5n, '0x'), 'none', 'token'],
  'operatorSend of ERC-777': [
    known(
      'operatorSend(address from,address to,uint256 amount,bytes data,bytes more)',
      wallet,
      other,
      5n,
      '0x',
      '0x',
    ),
    'none',
    'token',
  ],
  'send of ERC-777 to the token itself': [
    known('send(address to,uint256 amount,bytes data)', token, 5n, '0x'),
    'danger token-contract-recipient',
    'token',
  ],
  'setOperator of ERC-6909': [
    known('setOperator(address operator,bool approved)', other, true),
    'danger unlimited-allowance',
    'token',
  ],
  'approveDelegation of Aave': [
    known('approveDelegation(address delegatee,uint256 amount)', other, 5n),
    'warning allowance',
    'token',
  ],
  'approveDelegation of Aave without a limit': [
    known('approveDelegation(address delegatee,uint256 amount)', other, maxUint256),
    'danger unlimited-allowance',
    'token',
  ],
  'allow of Comet': [
    known('allow(address manager,bool yes)', other, true),
    'danger unlimited-allowance',
    'token',
  ],
  'allow of Comet that is taken back': [
    known('allow(address manager,bool yes)', other, false),
    'none',
    'token',
  ],
  'setAuthorization of Morpho': [
    known('setAuthorization(address authorized,bool yes)', other, true),
    'danger unlimited-allowance',
    'token',
  ],
  'hope of Maker': [known('hope(address user)', other), 'danger unlimited-allowance', 'token'],
  'rely of Maker': [known('rely(address user)', other), 'danger control-change', 'control'],
  'setRelayerApproval of Balancer': [
    known('setRelayerApproval(address sender,address relayer,bool yes)', wallet, other, true),
    'danger unlimited-allowance',
    'token',
  ],
  'delegate of votes': [
    known('delegate(address delegatee)', other),
    'warning votes-delegation',
    'delegation',
  ],
  'delegateAll of a registry': [
    known('delegateAll(address to,bytes32 rights,bool enable)', other, word, true),
    'warning delegation',
    'delegation',
  ],
  'setup of a Safe': [setup(0n), 'danger control-change', 'control'],
  'setup of a Safe that pays for itself': [setup(5n), 'danger control-change', 'refund'],
  'setOwner of ENS': [
    known('setOwner(bytes32 node,address owner)', word, other),
    'danger control-change',
    'control',
  ],
  setDelegate: [known('setDelegate(address delegate)', other), 'danger control-change', 'control'],
  'allow of Comet in execute': [
    encode('execute', token, 0n, known('allow(address manager,bool yes)', other, true)),
    'danger unlimited-allowance',
    'token',
    wallet,
  ],
}

const [payer, friend, account, mint, delegate] = solanaKeys.map((key) => key.publicKey) as [
  PublicKey,
  PublicKey,
  PublicKey,
  PublicKey,
  PublicKey,
]
const [tokens, tokens2022] = [
  'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA',
  'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb',
]
const raw = (program: string, keys: PublicKey[], data: readonly number[], signers = [payer]) =>
  new TransactionInstruction({
    programId: new PublicKey(program),
    keys: keys.map((pubkey) => ({ pubkey, isSigner: signers.includes(pubkey), isWritable: true })),
    data: Buffer.from(data),
  })
const five = [5, 0, 0, 0, 0, 0, 0, 0]
const stakeProgram = 'Stake11111111111111111111111111111111111111'
const loader = 'BPFLoaderUpgradeab1e11111111111111111111111'
const solana: Record<string, readonly [TransactionInstruction[], string]> = {
  'SetAuthority of an account': [
    [raw(tokens, [account, payer], [6, 2, 1, ...delegate.toBytes()])],
    'danger solana-ownerChange',
  ],
  'SetAuthority of a mint': [[raw(tokens, [mint, payer], [6, 0, 0])], 'danger solana-authority'],
  Approve: [[raw(tokens, [account, delegate, payer], [4, ...five])], 'danger solana-approval'],
  ApproveChecked: [
    [raw(tokens, [account, mint, delegate, payer], [13, ...five, 6])],
    'danger solana-approval',
  ],
  'Approve without a limit': [
    [raw(tokens, [account, delegate, payer], [4, ...five.map(() => 255)])],
    'danger unlimited-allowance',
  ],
  'CloseAccount to another': [[raw(tokens, [account, friend, payer], [9])], 'danger solana-closeToOther'],
  Assign: [[SystemProgram.assign({ accountPubkey: payer, programId: mint })], 'danger solana-walletAccount'],
  'Allocate on the wallet': [
    [SystemProgram.allocate({ accountPubkey: payer, space: 1 })],
    'danger solana-walletAccount',
  ],
  'CreateAccountWithSeed for a strange program': [
    [
      SystemProgram.createAccountWithSeed({
        fromPubkey: payer,
        newAccountPubkey: account,
        basePubkey: payer,
        seed: 's',
        lamports: 5,
        space: 0,
        programId: mint,
      }),
    ],
    'danger solana-strangeAccount',
  ],
  'SetLockup of a stake': [
    [
      raw(
        stakeProgram,
        [account, payer],
        [6, 0, 0, 0, 0, 1, 9, 0, 0, 0, 0, 0, 0, 0, 1, ...delegate.toBytes()],
      ),
    ],
    'danger solana-lock',
  ],
  AssignWithSeed: [
    [SystemProgram.assign({ accountPubkey: account, basePubkey: payer, seed: 's', programId: mint })],
    'danger solana-programOwner',
  ],
  AuthorizeNonceAccount: [
    [
      SystemProgram.nonceAuthorize({
        noncePubkey: account,
        authorizedPubkey: payer,
        newAuthorizedPubkey: delegate,
      }),
    ],
    'danger solana-authority',
  ],
  'Authorize of a stake': [
    [
      raw(
        stakeProgram,
        [account, new PublicKey('SysvarC1ock11111111111111111111111111111111'), payer],
        [1, 0, 0, 0, ...delegate.toBytes(), 1, 0, 0, 0],
      ),
    ],
    'danger solana-authority',
  ],
  PermanentDelegate: [[raw(tokens2022, [mint], [35, ...delegate.toBytes()])], 'danger solana-tokenExtension'],
  TransferHook: [
    [raw(tokens2022, [mint, payer], [36, 1, ...delegate.toBytes()])],
    'danger solana-tokenExtension',
  ],
  TransferFee: [[raw(tokens2022, [mint, payer], [26, 5, 1, 1])], 'danger solana-tokenExtension'],
  ConfidentialTransfer: [[raw(tokens2022, [account, mint], [27, 7])], 'danger solana-tokenExtension'],
  CpiGuard: [[raw(tokens2022, [account, payer], [34, 1])], 'danger solana-tokenExtension'],
  'DefaultAccountState frozen': [[raw(tokens2022, [mint], [28, 0, 2])], 'danger solana-tokenExtension'],
  'upgrade of a program': [
    [raw(loader, [account, mint, friend, friend, friend, friend, payer], [3, 0, 0, 0])],
    'danger solana-programChange',
  ],
  'durable nonce': [
    [SystemProgram.nonceAdvance({ noncePubkey: account, authorizedPubkey: payer }), transferTo(friend, 5)],
    'danger solana-durableNonce',
  ],
  'several signers': [
    [raw(SystemProgram.programId.toBase58(), [friend, payer], [2, 0, 0, 0, ...five], [friend, payer])],
    'danger solana-severalSigners',
  ],
  'unknown program': [[raw(mint.toBase58(), [payer], [1])], 'danger solana-unknownProgram'],
}

const first = (warnings: readonly Warning[]) => {
  const [found] = rankWarnings(warnings)
  return found ? `${found.severity} ${found.code}` : 'none'
}
/** Codes of warnings whose words have a key of another name. */
const keys: Readonly<Record<string, string>> = {
  'unlimited-allowance': 'sign.data.unlimited',
  allowance: 'sign.data.spender',
}
const hasWords = (label: string) => {
  const code = label.split(' ')[1]
  if (code === undefined) return true
  const own =
    keys[code] ??
    (code.startsWith('solana-') ? code.replace('solana-', 'solana.warning.') : `warning.${code}`)
  return own in words
}

describe('red list', () => {
  test.each(Object.entries(messages))('typed data: %s', (_, [data, expected, kind]) => {
    const shown = previewTypedData(
      { chains: { host: {} }, origin: 'https://host.example', wallet, chainId: 1 },
      parseTypedData(data),
    )
    const { permit, actions = [], warnings = [] } = shown
    const named = permit ? ['permit'] : actions.map(({ kind }) => kind)
    expect(named).toContain(kind)
    const judged: readonly Warning[] = permit
      ? [
          {
            code: permit.unlimited ? 'unlimited-allowance' : 'allowance',
            severity: permit.unlimited ? 'danger' : 'warning',
            spender: permit.party,
          },
        ]
      : []
    expect(first([...judged, ...warnings])).toBe(expected)
    expect(hasWords(expected)).toBe(true)
  })

  test('typed data: Blur listings under a hash are refused, as is all that is a hash alone', () => {
    const root = parseTypedData(typed({ Root: 'bytes32 root' }, { root: word }, other))
    expect(() =>
      previewTypedData({ chains: { host: {} }, origin: 'https://host.example', wallet, chainId: 1 }, root),
    ).toThrow("can't be read")
  })

  test.each(Object.entries(calls))('call: %s', (_, [data, expected, kind, to = token]) => {
    const { actions, warnings } = toPreview(
      { host: {} },
      { chainId: 1, from: wallet, to, value: 0n, data } as never,
      { origin: 'https://host.example', wallet },
    )
    expect(actions.map((action) => action.kind)).toContain(kind)
    expect(first(warnings)).toBe(expected)
    expect(hasWords(expected)).toBe(true)
  })

  test.each(Object.entries(solana))('Solana: %s', (_, [instructions, expected]) => {
    const bytes = new Transaction({ feePayer: payer, blockhash: solanaBlockhash, lastValidBlockHeight: 1 })
      .add(...instructions)
      .serializeMessage()
    const message = readSignableMessage(new Uint8Array(bytes), payer.toBase58())
    if (!message) throw new Error('It is no transaction')
    const { warnings, actions } = toSolanaPreview(reviewMessage(message, payer.toBase58()), {
      origin: 'https://host.example',
      network: { name: 'Solana' },
    })
    expect(actions.length).toBeGreaterThan(0)
    expect(first(warnings)).toBe(expected)
    expect(hasWords(expected)).toBe(true)
  })
})
