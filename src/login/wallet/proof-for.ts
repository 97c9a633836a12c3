import type { SiweAuth, SiwsAuth } from './service.ts'

/** What logs in with a wallet, or links it, on its chain. */
export const proofFor = (
  auth: { siwe(): Promise<SiweAuth>; siws(): Promise<SiwsAuth> },
  chainType: string,
): Promise<SiweAuth | SiwsAuth> => (chainType === 'solana' ? auth.siws() : auth.siwe())
