/** A token that a page suggests for the balances (EIP-747): what it may say, what the user decides, and what is listed then. */
import { encodeAbiParameters } from 'viem/utils'
import { describe, expect, test } from 'vitest'
import '../../../src/ethereum/rpc.ts'
import { createWatchedTokens } from '../../../src/balances/watched.ts'
import { erc20Selectors } from '../../../src/ethereum/tokens.ts'
import { memoryStorage } from '../../../src/lib/storage.ts'
import { fakeNode, type NodeAnswer } from '../../support/chain-node.ts'
import { embeddedKit, ethereumAccount, exampleChain } from '../../support/embedded-kit.ts'

const { address: wallet } = ethereumAccount
const dai = '0x6B175474E89094C44Da98b954EedeAC495271d0F'
const listed = '0xdAC17F958D2ee523a2206206994597C13D831ec7'
const word = (value: bigint) => `0x${value.toString(16).padStart(64, '0')}`
const string = (value: string) => encodeAbiParameters([{ type: 'string' }], [value])

function setUp({
  symbol = 'DAI',
  host = {},
  chain = '0x1',
}: {
  symbol?: string
  host?: object
  chain?: string
} = {}) {
  const answers: Record<string, string> = {
    [erc20Selectors.name]: string('Dai Stablecoin'),
    [erc20Selectors.symbol]: string(symbol),
    [erc20Selectors.decimals]: word(18n),
    [erc20Selectors.balanceOf]: word(12_500_000_000_000_000_000n),
  }
  const node = fakeNode({
    eth_chainId: chain,
    eth_call: ([call]: readonly unknown[]): NodeAnswer => {
      const { to, data } = call as { to: string; data: string }
      const answer = answers[data.slice(0, 10)]
      const isToken = [dai, listed].some((each) => each.toLowerCase() === to.toLowerCase())
      return isToken && answer ? { result: answer } : { result: '0x' }
    },
  })
  const supportedChains = [exampleChain(), exampleChain(8453, 'Base')]
  const tokens = [{ chainId: 1, address: listed }]
  const set = embeddedKit({ host: { supportedChains, tokens, ...host }, fetch: node.fetch })
  set.login()
  const suggest = (params: unknown) =>
    set
      .provider()
      .request({ method: 'wallet_watchAsset', params })
      .then(
        (value: unknown) => ({ value, code: undefined, message: '' }),
        ({ code, message }: { code: number; message: string }) => ({ value: undefined, code, message }),
      )
  const watched = () => set.sending.watched.tokens.get()
  return { ...set, node, suggest, watched }
}
const erc20 = (options: object = {}) => ({
  type: 'ERC20',
  options: { address: dai.toLowerCase(), symbol: 'DAI', decimals: 18, ...options },
})

describe('a token that a page suggests', () => {
  test('is reviewed as its contract says it, and is among the balances once the user adds it', async () => {
    const { suggest, person, balances } = setUp()
    await balances.refresh()
    const asked = suggest(erc20({ image: 'https://evil.example/usdc.png' }))
    await person.follow([
      {
        on: 'watch-token',
        expect: (props) =>
          expect(props).toMatchObject({
            token: { address: dai, symbol: 'DAI', name: 'Dai Stablecoin', decimals: 18 },
            network: { chain: 'eip155:1', name: 'Ethereum' },
            balance: 12_500_000_000_000_000_000n,
            origin: 'https://host.example',
          }),
      },
      ['watch-token', 'add'],
      { wait: 2_000 },
    ])
    expect(await asked).toMatchObject({ value: true })
    const found = () => balances.get().find(({ token }) => token === dai)
    await expect.poll(found).toMatchObject({
      chain: 'eip155:1',
      status: 'loaded',
      symbol: 'DAI',
      amount: 12_500_000_000_000_000_000n,
    })
  })

  test('that the user declines is 4001, and stays out', async () => {
    const { suggest, person, watched } = setUp()
    const asked = suggest([erc20()])
    await person.follow([['watch-token', 'cancel'], { wait: 2_000 }])
    expect(await asked).toMatchObject({ code: 4001 })
    expect(watched()).toEqual([])
  })

  test.each([listed, dai])('that is listed already is confirmed without a dialog: %s', async (address) => {
    const { suggest, sending, runs } = setUp()
    sending.watched.add({ chainId: 1, address: dai })
    expect(await suggest(erc20({ address }))).toMatchObject({ value: true })
    expect(runs.isBusy.get()).toBe(false)
  })

  test.each([
    ['the coin of the network', 'eth', true],
    ['USDC', 'USDC', true],
    ['nothing else', 'DAI', false],
  ])('whose symbol is that of %s is said to be another one only then', async (_, symbol, isNamesake) => {
    const { suggest, person } = setUp({ symbol })
    const asked = suggest(erc20({ symbol: undefined }))
    await person.follow([
      { on: 'watch-token', expect: (props) => expect(props).toMatchObject({ isNamesake }) },
      ['watch-token', 'cancel'],
      { wait: 2_000 },
    ])
    expect(await asked).toMatchObject({ code: 4001 })
  })

  test.each<[string, unknown, number, RegExp]>([
    ['nothing', undefined, -32602, /./],
    ['a list of two', [erc20(), erc20()], -32602, /./],
    ['no contract', erc20({ address: '0x12' }), -32602, /./],
    ['an address without its checksum', erc20({ address: dai.replace('B', 'b') }), -32602, /./],
    ['decimals that are none', erc20({ decimals: -1 }), -32602, /./],
    ['a symbol that is none', erc20({ symbol: {} }), -32602, /./],
    ['another symbol than the token’s', erc20({ symbol: 'USDC' }), -32602, /"DAI"/],
    ['other decimals than the token’s', erc20({ decimals: 6 }), -32602, /18/],
    ['a contract that is no token', erc20({ address: wallet }), -32602, /no token/],
    ['a collection', { ...erc20(), type: 'ERC721' }, 4200, /ERC721/],
  ])('with %s is refused, and nobody is asked', async (_, params, code, message) => {
    const { suggest, watched, runs } = setUp()
    const refused = await suggest(params)
    expect(refused).toMatchObject({ code })
    expect(refused.message).toMatch(message)
    expect([watched(), runs.isBusy.get()]).toEqual([[], false])
  })

  test('of a node of another chain is refused', async () => {
    const { suggest, watched } = setUp({ chain: '0x5' })
    expect((await suggest(erc20())).code).toBeDefined()
    expect(watched()).toEqual([])
  })

  test('is not added unseen where the app hides the screens of wallets', async () => {
    const { suggest, watched } = setUp({ host: { embeddedWallets: { showWalletUIs: false } } })
    expect(await suggest(erc20())).toMatchObject({ code: 4100 })
    expect(watched()).toEqual([])
  })
})

test('tokens that a user has added are theirs alone, and go with a logout', () => {
  const { sending, login, logout } = setUp()
  sending.watched.add({ chainId: 1, address: dai })
  sending.watched.add({ chainId: 1, address: dai })
  expect(sending.watched.tokens.get()).toEqual([{ chainId: 1, address: dai }])
  logout()
  expect(sending.watched.tokens.get()).toEqual([])
  login()
  expect(sending.watched.tokens.get()).toEqual([])
})

test.each(['{', '[{"chainId":1}]', '[{"chainId":1,"address":"0x1"}]', '{"a":1}'])(
  'tokens that a user has added: what can’t be read of them counts as none: %s',
  (text) => {
    const storage = memoryStorage()
    storage.set('tokens', text)
    const watched = createWatchedTokens(storage, 'tokens')
    expect(watched.tokens.get()).toEqual([])
    watched.add({ chainId: 1, address: dai })
    expect(createWatchedTokens(storage, 'tokens').tokens.get()).toEqual([{ chainId: 1, address: dai }])
  },
)
