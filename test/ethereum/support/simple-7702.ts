import { createRequire } from 'node:module'
import { concat, type Hex } from 'viem'
import { simple7702Account } from '../../../src/ethereum/wallet-code.ts'

/** The deployer that is at this address on every chain, and on anvil from the start. */
const DEPLOYER = '0x4e59b44847b379578588920ca78fbf26c0b4956c'
const SALT: Hex = `0x${'0'.repeat(64)}`

/** Deploys Simple7702Account of EntryPoint 0.8 at its own address, unless it is there. The bytes are the published package's. */
export async function deploySimple7702Account(url: string): Promise<void> {
  const { bytecode } = createRequire(import.meta.url)(
    '@account-abstraction/contracts/artifacts/Simple7702Account.json',
  ) as { bytecode: Hex }
  const ask = async (method: string, params: readonly unknown[]) => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
    const headers = { 'content-type': 'application/json' }
    const answer = await (await fetch(url, { method: 'POST', headers, body })).json()
    if (answer.error) throw new Error(answer.error.message)
    return answer.result
  }
  if ((await ask('eth_getCode', [simple7702Account.address, 'latest'])) !== '0x') return
  const [from] = await ask('eth_accounts', [])
  const hash = await ask('eth_sendTransaction', [{ from, to: DEPLOYER, data: concat([SALT, bytecode]) }])
  for (let tries = 0; tries < 500; tries++) {
    const receipt = await ask('eth_getTransactionReceipt', [hash])
    if (receipt?.status === '0x1') return
    if (receipt) throw new Error('Simple7702Account could not be deployed')
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  throw new Error('Simple7702Account was not deployed in time')
}
