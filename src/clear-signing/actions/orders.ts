/** Offers of marketplaces, which anybody may take. */

import { Arguments, checksum } from '../../ethereum/calls/arguments.ts'
import type { TypedData } from '../../ethereum/typed-data.ts'
import type { Action, Order, OrderItem } from './action.ts'
import { describeShape, type MessageReader } from './message-reader.ts'

const ZERO = '0x0000000000000000000000000000000000000000'

/** Seaport: what is offered, and what has to be paid for it. */
export function seaport(message: Arguments, typed: TypedData): readonly Action[] {
  if (
    !/^uint8 itemType,address token,uint256 identifierOrCriteria,uint256 startAmount,uint256 endAmount$/.test(
      describeShape(typed, 'OfferItem'),
    )
  )
    return []
  const items = (name: string): readonly OrderItem[] =>
    message.list(name).map((value) => {
      const item = new Arguments(value)
      const [start, end] = [item.number('startAmount'), item.number('endAmount')]
      const isNft = item.number('itemType') >= 2n
      return {
        token: item.address('token'),
        // The worse of the two for whoever signs: all of what is offered, the least of what is paid.
        amount: (name === 'offer') === start > end ? start : end,
        ...(isNft && { tokenId: item.number('identifierOrCriteria') }),
        ...(item.value('recipient') && { recipient: item.address('recipient') }),
      }
    })
  const offerer = message.address('offerer')
  return [
    {
      kind: 'order',
      protocol: 'seaport',
      gives: items('offer'),
      gets: items('consideration').filter(({ recipient }) => recipient === offerer),
      expiresAt: message.number('endTime'),
    },
  ]
}

/** Orders that sell one token for another. */
export function swapOrder(
  protocol: Order['protocol'],
  names: {
    readonly give: string
    readonly giveAmount: string
    readonly get: string
    readonly getAmount: string
    readonly until?: string
  },
): MessageReader {
  return (message, _typed, from) => {
    const fields = [names.give, names.giveAmount, names.get, names.getAmount]
    if (fields.some((name) => message.value(name) === undefined)) return []
    const expires = names.until ? message.value(names.until) : undefined
    const receiver = message.value('receiver') ? message.address('receiver') : ZERO
    const own = [ZERO, from && checksum(from), message.address('maker')]
    return [
      {
        kind: 'order',
        protocol,
        gives: [{ token: message.address(names.give), amount: message.number(names.giveAmount) }],
        gets: [{ token: message.address(names.get), amount: message.number(names.getAmount) }],
        ...(expires?.kind === 'number' && { expiresAt: expires.value }),
        ...(!own.includes(receiver) && { proceedsTo: receiver }),
      },
    ]
  }
}

export const unreadableOrder = (protocol: Order['protocol']): Order => ({
  kind: 'order',
  protocol,
  gives: [],
  gets: [],
  isUnreadable: true,
})

/** 0x before version 4: both assets are packed bytes. */
export const zeroExAssets: MessageReader = (message) =>
  message.value('makerAssetData') && message.value('takerAssetData') ? [unreadableOrder('zero-ex')] : []

/** 0x: one NFT for tokens, or tokens for one NFT. */
export const zeroExNft =
  (standard: 'erc721' | 'erc1155'): MessageReader =>
  (message) => {
    const names = ['direction', 'erc20Token', 'erc20TokenAmount', `${standard}Token`, `${standard}TokenId`]
    if (names.some((name) => message.value(name) === undefined)) return []
    const nft = {
      token: message.address(`${standard}Token`),
      amount: standard === 'erc721' ? 1n : message.number('erc1155TokenAmount'),
      tokenId: message.number(`${standard}TokenId`),
    }
    const price = { token: message.address('erc20Token'), amount: message.number('erc20TokenAmount') }
    const isSale = message.number('direction') === 0n
    const expires = message.value('expiry')
    return [
      {
        kind: 'order',
        protocol: 'zero-ex',
        gives: [isSale ? nft : price],
        gets: [isSale ? price : nft],
        ...(expires?.kind === 'number' && { expiresAt: expires.value }),
      },
    ]
  }

/** Blur: one NFT for a price, or many under a hash. */
export const blurOrder: MessageReader = (message) => {
  if (message.value('listingsRoot')) return [unreadableOrder('blur')]
  const names = ['trader', 'side', 'collection', 'tokenId', 'amount', 'paymentToken', 'price']
  if (names.some((name) => message.value(name) === undefined)) return []
  const nft = {
    token: message.address('collection'),
    amount: message.number('amount'),
    tokenId: message.number('tokenId'),
  }
  const price = { token: message.address('paymentToken'), amount: message.number('price') }
  const isSale = message.number('side') === 1n
  return [{ kind: 'order', protocol: 'blur', gives: [isSale ? nft : price], gets: [isSale ? price : nft] }]
}
