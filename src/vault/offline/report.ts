import { keyText, pathText, phraseText } from '../export/secret.ts'
import type { OpenRoot, WalletPath } from '../model.ts'
import type { RecordedWallet, RecoveryRoot } from './recovery-file.ts'

/** What the tool prints about a root. Its secrets are included only on request. */
export interface RootReport {
  readonly walletId: string
  readonly imported: boolean
  readonly wallets: readonly WalletReport[]
  readonly phrase?: string
}
export interface WalletReport extends WalletPath {
  readonly path: string | undefined
  readonly address: string
  /** Whether the file names this very address; `undefined` where it says nothing of it. */
  readonly asRecorded: boolean | undefined
  readonly privateKey?: string
}

/** Derives the wallets that the file names, and the first `more` of each chain. */
export async function reportOf(
  root: OpenRoot,
  recorded: RecoveryRoot,
  { reveal, more }: { reveal: boolean; more: number },
): Promise<RootReport> {
  const imported = root.kind === 'key'
  const wallets: WalletReport[] = []
  for (const path of pathsOf(recorded.wallets, imported, more))
    wallets.push(
      await root.withKey(path, (key) => ({
        chainType: key.chainType,
        index: key.index,
        path: imported ? undefined : pathText(key),
        address: key.address,
        asRecorded: isRecorded(recorded.wallets, path, key.address),
        ...(reveal && { privateKey: keyText(key) }),
      })),
    )
  return {
    walletId: root.walletId,
    imported,
    wallets,
    ...(reveal && !imported && { phrase: phraseText(root) }),
  }
}

/** Without repetition: what is recorded, then the first ones of each chain. */
function pathsOf(recorded: readonly RecordedWallet[], imported: boolean, more: number): WalletPath[] {
  const first = imported
    ? []
    : (['ethereum', 'solana'] as const).flatMap((chainType) =>
        Array.from({ length: more }, (_, index) => ({ chainType, index })),
      )
  const byName = new Map([...recorded, ...first].map((path) => [`${path.chainType}/${path.index}`, path]))
  return [...byName.values()].map(({ chainType, index }) => ({ chainType, index }))
}

function isRecorded(
  recorded: readonly RecordedWallet[],
  path: WalletPath,
  address: string,
): boolean | undefined {
  const fold = (text: string) => (path.chainType === 'ethereum' ? text.toLowerCase() : text)
  const named = recorded.filter(
    ({ chainType, index }) => chainType === path.chainType && index === path.index,
  )
  return named.length === 0 ? undefined : named.every((one) => fold(one.address) === fold(address))
}

/** For people. */
export function textOf({ walletId, imported, wallets, phrase }: RootReport): string {
  const lines = [`${imported ? 'Imported key' : 'Recovery phrase'} ${walletId}`]
  if (phrase) lines.push(`  phrase       ${phrase}`)
  for (const { chainType, path, address, asRecorded, privateKey } of wallets) {
    const verdict =
      asRecorded === undefined ? '' : asRecorded ? '  as recorded' : '  NOT AS RECORDED IN THE FILE'
    lines.push(`  ${chainType.padEnd(8)}  ${(path ?? '(imported)').padEnd(20)}  ${address}${verdict}`)
    if (privateKey) lines.push(`  private key  ${privateKey}`)
  }
  return `${lines.join('\n')}\n`
}
