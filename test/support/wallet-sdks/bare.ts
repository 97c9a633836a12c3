/** The library alone, as anybody would bundle it, to measure against. */
import { EthereumProvider } from '@walletconnect/ethereum-provider'

/** Resolves when the code's text is there. The vendor's frame is left out: it would be slower by seconds here. */
export async function bare(relayUrl: string): Promise<void> {
  const provider = await EthereumProvider.init({
    projectId: '0'.repeat(32),
    relayUrl,
    showQrModal: false,
    optionalChains: [1],
    telemetryEnabled: false,
    rpcMap: { 1: 'http://127.0.0.1:1' },
    metadata: { name: 'Bare', description: '', url: location.origin, icons: [] },
  })
  provider.signer.client.core.verify.register = async () => ''
  await new Promise<void>((resolve, reject) => {
    provider.on('display_uri', () => resolve())
    provider.connect().catch(reject)
  })
}
