import type { FundingSettings } from '../../src/protocol/app-config.ts'

/** An app that offers transfers by hand and from other wallets, and sells nothing. */
export const fundingSettings: FundingSettings = {
  chain: 'eip155:1',
  asset: 'native-currency',
  amount: '0.02',
  methods: ['external'],
  options: [],
  promptOnCreation: false,
  bridging: false,
  tokens: [],
  providers: [],
  bridge: undefined,
}
