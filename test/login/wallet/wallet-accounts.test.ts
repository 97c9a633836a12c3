import { describe, expect, test } from 'vitest'
import { createSiweAuth } from '../../../src/login/wallet/siwe.ts'
import { createSiwsAuth } from '../../../src/login/wallet/siws.ts'
import { wireUser } from '../../support/api.ts'
import { authContext } from '../../support/auth-context.ts'
import { embeddedWallet, walletAddress } from '../../support/kit.ts'

const address = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const key = '9B5XszUGdMaxCZ7uSQhPzdks5ZQSmWxrmzCSvtJ6Ns6g'
const external = {
  type: 'wallet',
  address,
  chain_type: 'ethereum',
  wallet_client_type: 'metamask',
  verified_at: 1_700_000_000,
}
const solana = { ...external, address: key, chain_type: 'solana', wallet_client_type: 'phantom' }
const moved = wireUser('did:privy:u1', { linked_accounts: [external, solana] })

describe('taking a wallet over from another user', () => {
  test('repeats what the login said of it, and gives the person with it', async () => {
    const { cx, api, entered, enter } = await authContext({
      accounts: [external],
      routes: { '/api/v1/siwe/transfer': { body: moved } },
    })
    enter()
    const login = await createSiweAuth(cx).transfer({
      nonce: 'once',
      address: address.toLowerCase(),
      chainId: 'eip155:1',
      walletClientType: 'metamask',
      connectorType: 'injected',
    })
    expect(login).toMatchObject({ method: 'siwe', isNewUser: false, account: { address } })
    expect(api.to('/api/v1/siwe/transfer')[0]?.body).toEqual({
      nonce: 'once',
      address: address.toLowerCase(),
      chainId: 'eip155:1',
      walletClientType: 'metamask',
      connectorType: 'injected',
    })
    expect(api.to('/api/v1/sessions')).toHaveLength(1)
    expect(entered).toEqual([['wallet', { clientType: 'metamask', chainType: 'ethereum' }]])
  })

  test('says nothing where nothing is known of the wallet', async () => {
    const { cx, api, enter } = await authContext({ routes: { '/api/v1/siwe/transfer': { body: moved } } })
    enter()
    await createSiweAuth(cx).transfer({ nonce: 'once', address })
    expect(api.to('/api/v1/siwe/transfer')[0]?.body).toEqual({
      nonce: 'once',
      address,
      chainId: null,
      walletClientType: null,
      connectorType: null,
    })
  })

  test('is refused as the server refuses it', async () => {
    const routes = {
      '/api/v1/siwe/transfer': { status: 400, body: { error: 'no', code: 'token_already_used' } },
    }
    const { cx, entered, enter } = await authContext({ routes })
    enter()
    const transfer = createSiweAuth(cx).transfer({ nonce: 'once', address })
    await expect(transfer).rejects.toMatchObject({ code: 'token_already_used' })
    expect(entered).toEqual([])
  })
})

describe.each([
  { of: 'an Ethereum', path: '/api/v1/siwe/unlink', make: createSiweAuth, wallet: address },
  { of: 'a Solana', path: '/api/v1/siws/unlink', make: createSiwsAuth, wallet: key },
])('taking $of wallet off', ({ path, make, wallet }) => {
  test('asks the server, and reads the person anew', async () => {
    const { cx, api, enter } = await authContext({ routes: { [path]: { body: moved } } })
    enter()
    const user = await make(cx).unlink(wallet)
    expect(api.to(path)[0]?.body).toEqual({ address: wallet })
    expect(api.to('/api/v1/sessions')).toHaveLength(1)
    expect(user.linkedAccounts).toEqual([])
  })

  test('passes on what the server says against it', async () => {
    const refused = { status: 400, body: { error: 'no', code: 'cannot_unlink_sole_account' } }
    const { cx, enter } = await authContext({ routes: { [path]: refused } })
    enter()
    await expect(make(cx).unlink(wallet)).rejects.toMatchObject({ code: 'cannot_unlink_sole_account' })
  })
})

test('the embedded wallet is not taken off', async () => {
  const { cx, api, enter } = await authContext({ accounts: [embeddedWallet] })
  enter()
  await expect(createSiweAuth(cx).unlink(walletAddress.toLowerCase())).rejects.toMatchObject({
    shortMessage: 'Cannot unlink an embedded wallet',
  })
  expect(api.to('/api/v1/siwe/unlink')).toEqual([])
})

describe('whoever stops waiting for a message', () => {
  test('leaves the others theirs', async () => {
    const { cx, api } = await authContext({
      routes: { '/api/v1/siwe/init': { body: { nonce: 'abcdefgh12' } } },
    })
    const siwe = createSiweAuth(cx)
    const left = new AbortController()
    const first = siwe.generateMessage({ address }, { signal: left.signal })
    const second = siwe.generateMessage({ address })
    left.abort(new Error('left'))
    await expect(first).rejects.toThrow('left')
    expect(await second).toContain('Nonce: abcdefgh12')
    expect(api.to('/api/v1/siwe/init')).toHaveLength(1)
  })

  test('and asks again after a failure gets another try', async () => {
    const { cx } = await authContext({
      routes: {
        '/api/v1/siws/init': [
          { status: 429, body: { error: 'no', code: 'too_many_requests' } },
          { body: { nonce: 'abcdefgh12' } },
        ],
      },
    })
    const siws = createSiwsAuth(cx)
    await expect(siws.generateMessage({ address: key })).rejects.toMatchObject({ code: 'too_many_requests' })
    expect(await siws.generateMessage({ address: key })).toContain('Nonce: abcdefgh12')
  })
})
