import { base58 } from '@scure/base'
import { Keypair } from '@solana/web3.js'
import { privateKeyToAccount } from 'viem/accounts'
import { FileError } from '../../../src/vault/offline/file-error.ts'
import type { RootReport, WalletReport } from '../../../src/vault/offline/report.ts'
import { runTool, type ToolIo } from '../../../src/vault/offline/tool.ts'
import type { StoredRoot } from './backend.ts'
import { password, recoveryMethodOf, type withRecoveryMethod } from './recovery-methods.ts'

type Made = Awaited<ReturnType<typeof withRecoveryMethod>>

/** What the server and, of a drive, the person have of a root: a recovery file's entry. */
export function fileRoot({ backend, drives }: Pick<Made, 'backend' | 'drives'>, root: StoredRoot) {
  const { recovery, walletId, wallets } = root
  const held = backend.state.secrets.get(recovery.secret_id ?? '')?.secret
  return {
    walletId,
    wallets,
    package: recovery.package,
    ...(recovery.key && { key: recovery.key }),
    ...(held && { passwordSecret: held.toString('base64url') }),
    ...(driveFile({ drives }, root) && { drive: driveFile({ drives }, root) }),
  }
}

/** The file in the person's own drive, as an object. */
export function driveFile({ drives }: Pick<Made, 'drives'>, { recovery }: StoredRoot): object | undefined {
  const google = drives.google.get('one')?.get(recovery.file_id ?? '')
  if (google) return JSON.parse(google)
  const record = drives.icloud.get('one')?.get(recovery.record_name ?? '')
  return record && Object.fromEntries(Object.entries(record).map(([name, { value }]) => [name, value]))
}

/** What a person has to type: the secret of those ways of which nothing is in a drive. */
export const typed = (method: string): string => {
  if (!/native|own key/.test(method)) return ''
  const given = recoveryMethodOf(method).use({} as never) as Record<string, string>
  return given.recoverySecretOverride ?? given.recoveryKey ?? ''
}

/** What {@link unsealByTheBook} takes for a root. */
export const needsOf = (root: ReturnType<typeof fileRoot>, method: string) => ({
  ...('key' in root && { key: root.key }),
  ...('passwordSecret' in root && { passwordSecret: root.passwordSecret, password }),
  secret: 'drive' in root ? String((root.drive as { secret: unknown }).secret) : typed(method),
})

export const recoveryFile = (...roots: object[]) =>
  JSON.stringify({ format: 'latchkey-recovery', version: 1, app: 'a', user: 'u', roots })

/** Runs the tool on files in memory; `answers` are typed one after the other. */
export async function recoverWith(
  files: Readonly<Record<string, string>>,
  args: readonly string[] = ['--reveal', '--json'],
  answers: readonly string[] = [],
  patient = false,
) {
  const said: string[] = []
  const asked: string[] = []
  const left = [...answers]
  let output = ''
  const io: ToolIo = {
    read(file) {
      const text = files[file]
      if (text === undefined) throw new FileError(`${file} can't be read`)
      return text
    },
    write: (_file, text) => {
      output += text
    },
    async ask(question) {
      asked.push(question)
      const answer = left.shift()
      if (answer === undefined) throw new FileError('Nobody answers')
      return answer
    },
    patient,
    say: (line) => void said.push(line),
  }
  const code = await runTool(['recovery.json', ...args], io)
  const roots: RootReport[] = args.includes('--json') && output !== '' ? JSON.parse(output).roots : []
  return { code, roots, output, said: said.join('\n'), asked }
}

/** What the libraries of the two chains make of a private key. */
export const addressByLibrary = ({ chainType, privateKey = '' }: WalletReport): string =>
  chainType === 'ethereum'
    ? privateKeyToAccount(privateKey as `0x${string}`).address
    : Keypair.fromSecretKey(base58.decode(privateKey)).publicKey.toBase58()
