import type { Hex } from 'viem'

/**
 * Keys that everybody knows, so nothing of worth may ever be theirs: anvil's, from its published mnemonic
 * "test test test test test test test test test test test junk".
 */
export const anvilKeys = [
  '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80',
  '0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d',
  '0x5de4111afa1a4b94908f83103eb1f1706367c2e68ca870fc3fb9a804cdab365a',
  '0x7c852118294e51e653712a81e05800f419141751be58f605c371e15141b007a6',
  '0x47e179ec197488593b187f80a00eb0da91f1b9d0b13f8733639f19c30a34926a',
] as const satisfies readonly Hex[]

/** Whose signature is somebody else's: anvil's last account. */
export const strangersKey: Hex = '0x2a871d0798f97d79848a013d4936a73bf4cc922c825d33c1cf7073dff6d409c6'

/** Seeds of ed25519 keys, written down here for everybody: "latchkey demo solana wallet 1", and so on, as hex. */
export const demoSeeds = [
  '6c617463686b65792064656d6f20736f6c616e612077616c6c65742031000000',
  '6c617463686b65792064656d6f20736f6c616e612077616c6c65742032000000',
  '6c617463686b65792064656d6f20736f6c616e612077616c6c65742033000000',
] as const
