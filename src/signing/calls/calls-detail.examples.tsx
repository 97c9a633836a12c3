import type { Examples } from '../../dialog/screen.ts'
import type { CallsDetailProps, callsDetail } from './calls-detail.tsx'

const hash = '0x4bf5122f344554c53bde2ebb8cd2b7e3d1600ad631c385a5d7cce23c7785459a'
const explorerUrl = `https://basescan.org/tx/${hash}`
type Call = CallsDetailProps['calls'][number]
const approval: Call = { kind: 'approve', state: 'confirmed', hash, explorerUrl }
const swap: Call = { kind: 'call', state: 'sent', hash, explorerUrl }
const gift: Call = { kind: 'transfer', state: 'waiting', amount: '0.25 ETH' }
const underWay: CallsDetailProps = {
  status: 100,
  calls: [approval, swap, gift],
  chain: 'eip155:8453',
  network: 'Base',
  when: 'Nov 20, 2026, 4:05 PM',
}
const as = (call: Call, state: Call['state']): Call => ({
  ...call,
  state,
  ...(state === 'stopped' ? { hash: undefined, explorerUrl: undefined } : { hash, explorerUrl }),
})

export const examples = {
  'under way': { props: underWay },
  'all confirmed': {
    props: { ...underWay, status: 200, calls: [approval, as(swap, 'confirmed'), as(gift, 'confirmed')] },
  },
  'all or none, under way': {
    props: { ...underWay, isAtomic: true, calls: [as(approval, 'sent'), swap, as(gift, 'sent')] },
  },
  'from the activity': { props: { ...underWay, canGoBack: true } },
  'opening a call': { props: { ...underWay, canGoBack: true }, busy: { call: 0 } },
  'nothing was sent': {
    props: {
      ...underWay,
      status: 400,
      calls: [as(approval, 'stopped'), as(swap, 'stopped'), as(gift, 'stopped')],
    },
  },
  'none had an effect': {
    props: {
      ...underWay,
      status: 500,
      calls: [as(approval, 'reverted'), as(swap, 'stopped'), as(gift, 'stopped')],
    },
  },
  'one failed in the middle': {
    props: {
      ...underWay,
      status: 600,
      calls: [approval, as(swap, 'reverted'), as(gift, 'stopped')],
    },
  },
  'without an explorer': {
    props: {
      ...underWay,
      chain: 'eip155:31337',
      network: 'A network of the app with a very long name',
      calls: [
        { ...approval, explorerUrl: undefined },
        { ...gift, amount: '115,792,089,237,316.195423570985 ETH' },
      ],
    },
  },
} satisfies Examples<typeof callsDetail>
