import type { Examples } from '../../dialog/screen.ts'
import type { SendRecipientProps, sendRecipient } from './send-recipient.tsx'

const own = '0x71C7656EC7ab88b098defB751B7401B5f6d8976F'
const friend = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const impostor = '0x7099f1a0C5cB43c5D2d8e1E2F2F2c3D4e5F679c8'
const ether: SendRecipientProps['asset'] = {
  chain: 'eip155:1',
  symbol: 'ETH',
  decimals: 18,
  network: 'Ethereum',
  balance: 1_250_000_000_000_000_000n,
  chainType: 'ethereum',
  wallet: own,
}
const empty: SendRecipientProps = {
  asset: ether,
  hasChoice: true,
  to: '',
  allowsNames: true,
  own: [],
  recent: [],
}
const sol: SendRecipientProps = {
  ...empty,
  asset: {
    chain: 'solana:mainnet',
    symbol: 'SOL',
    decimals: 9,
    network: 'Solana',
    balance: 12_000_005_000n,
    chainType: 'solana',
    wallet: '7EqQdEULxWcraVx3mXKFjc84LhCkMGZCkRuDpvcMwJeK',
  },
  allowsNames: false,
}
const offCurve = 'AnVaJBKZrPTDDuKdEkCNXyrCZq4Vuk67aaCFpDzhLVcD'

export const examples = {
  empty: { props: empty },
  'with addresses that are known': {
    props: {
      ...empty,
      own: ['0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65'],
      recent: [friend, '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'],
    },
  },
  'one thing to send': { props: { ...empty, hasChoice: false, allowsNames: false } },
  'a balance that is unknown': { props: { ...empty, asset: { ...ether, balance: undefined } } },
  'an external wallet': { props: { ...empty, asset: { ...ether, walletName: 'MetaMask' } } },
  'looking up a name': {
    props: { ...empty, to: 'friend.eth' },
    busy: { to: 'friend.eth', isAccepted: false },
  },
  'choosing something else': { props: empty, busy: { change: '' } },
  'nobody has the name': { props: { ...empty, to: 'frend.eth', error: 'Nobody has this name.' } },
  'a mistake in the address': {
    props: {
      ...empty,
      to: '0x70997970c51812dc3A010C7d01b50e0d17dc79C8',
      error: 'There is a mistake in this address. Copy it again from where you have it.',
    },
  },
  'address of a token': {
    props: {
      ...empty,
      to: '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48',
      error: 'This is the address of a token, not of a wallet. What you send there is lost.',
    },
  },
  'looks like a known address': {
    props: {
      ...empty,
      to: impostor,
      recent: [friend],
      caution: { kind: 'looks-like', address: impostor, looksLike: friend },
    },
  },
  'a contract': {
    props: { ...empty, to: friend, caution: { kind: 'contract', address: friend } },
  },
  'a name for Ethereum alone': {
    props: {
      ...empty,
      asset: { ...ether, network: 'Base' },
      to: 'friend.eth',
      caution: { kind: 'name-elsewhere', address: friend, name: 'friend.eth' },
    },
  },
  solana: { props: { ...sol, recent: ['4Nd1mBQtrMJVYVfKf2PJy9NZUZdTAsp7D4xWLs4gDB4T'] } },
  'solana, no key': {
    props: { ...sol, to: offCurve, caution: { kind: 'off-curve', address: offCurve } },
  },
  'solana, a token account': {
    props: { ...sol, to: offCurve, caution: { kind: 'token-account', address: offCurve } },
  },
  'solana, data of a program': {
    props: { ...sol, to: offCurve, caution: { kind: 'program-account', address: offCurve } },
  },
  'long names': {
    props: {
      ...empty,
      asset: {
        ...ether,
        symbol: 'WWWWWWWWWWW',
        network: 'A network of the app with a very long name',
        balance: 2n ** 200n,
        walletName: 'A wallet that has a very long name as well',
      },
      to: 'a-name-that-is-longer-than-anybody-would-want-to-type.with-many.labels.example.eth',
    },
  },
} satisfies Examples<typeof sendRecipient>
