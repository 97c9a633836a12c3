import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { ed25519 } from '@noble/curves/ed25519.js'
import { base58 } from '@scure/base'
import type { LocalAccount } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import type { AppSettings } from '../../../demo/backend/settings/demo-apps.ts'
import { type Answer, Client, type ClientOptions } from './client.ts'
import { DeviceKey } from './device-key.ts'
import { apiUrl, newAddress, openApp, site, vaultOrigin, type World } from './world.ts'

/** Every recovery method. */
export const everyWayApp: AppSettings = {
  id: 'latchkey-test-recover-001',
  name: 'Every Way Back',
  allowedDomains: [site],
  embeddedWallets: { recoveryOptions: ['user-passcode', 'google-drive', 'icloud'], ownKeyRecovery: true },
}
/** The same where the vault takes secrets from the page, such as a key that the page keeps. */
export const pageKeyApp: AppSettings = {
  ...everyWayApp,
  id: 'latchkey-test-recover-003',
  vault: 'compatible',
}
/** Wallets whose recovery is the person's own, from the start. */
export const ownWayApp: AppSettings = {
  ...everyWayApp,
  id: 'latchkey-test-recover-002',
  embeddedWallets: { recoveryOptions: ['user-passcode'], requireOwnRecovery: true },
}
/** The same by the older name of it, which asks for a password. */
export const passwordApp: AppSettings = {
  ...everyWayApp,
  id: 'latchkey-test-recover-004',
  embeddedWallets: { recoveryOptions: ['google-drive'], requirePassword: true },
}

/** A wallet's own key, as only the vault has it. */
export interface TestKey {
  chainType: 'ethereum' | 'solana'
  address: string
  prove(statement: string): Promise<string>
}
export const ethereumKey = () => ethereumKeyOf(privateKeyToAccount(generatePrivateKey()))
export const ethereumKeyOf = (account: LocalAccount): TestKey => ({
  chainType: 'ethereum',
  address: account.address,
  prove: (message) => account.signMessage({ message }),
})
export function solanaKey(): TestKey {
  const secret = ed25519.utils.randomSecretKey()
  return {
    chainType: 'solana',
    address: base58.encode(ed25519.getPublicKey(secret)),
    prove: async (message) =>
      Buffer.from(ed25519.sign(new TextEncoder().encode(message), secret)).toString('base64url'),
  }
}

/** Of each change of recovery, what the window has shown of it. */
const shownChanges = new Map<string, string>()
const statementHash = (statement: string) => createHash('sha256').update(statement).digest('base64url')
const text = (title: string, lines: Record<string, string | number>) =>
  [title, ...Object.entries(lines).map(([name, value]) => `${name}: ${value}`)].join('\n')
export const random = (count: number) => randomBytes(count).toString('base64url')
export const automatic = () => ({ method: 'privy', package: `package ${randomUUID()}`, key: random(32) })

export interface Root {
  walletId: string
  setId: string
  key: TestKey
  body: Record<string, unknown> & { recovery: Record<string, string>; auth_share: string }
}

type Named = Record<string, string>

/** The vault of somebody who is logged in: a browser with a key, which proves it with every call. */
export class Vault extends Client {
  userId = ''
  refreshToken = ''
  key = new DeviceKey()
  /** What was made of the passwords that were set here, by the server's own secret. */
  readonly passwords = new Map<string, string>()
  /** The nonce of the last answer. */
  nonce: string | undefined

  /**
   * With whatever the window of the vault would have shown and signed for this call; the calls of a test that has shown
   * nothing give a proof of their own ({@link unshown}).
   */
  override async post(path: string, body: unknown = {}, headers: Named = {}, keepCookies = true) {
    return this.send(path, body, headers, keepCookies, this.shownFor(path, body))
  }
  /** A call of the vault without any statement, or with one of the test's. */
  unshown(path: string, body: unknown = {}, statement?: string, headers: Named = {}): Promise<Answer> {
    return this.send(path, body, headers, true, statement)
  }
  private async send(
    path: string,
    body: unknown,
    headers: Named,
    keepCookies: boolean,
    statement: string | undefined,
  ): Promise<Answer> {
    const claims = statement === undefined ? {} : { stm: statementHash(statement) }
    const send = () => {
      const proved =
        headers.dpop === undefined ? { dpop: this.proofFor(path, { claims }), ...headers } : headers
      return super.post(path, body, proved, keepCookies)
    }
    const first = await send()
    this.nonce = first.headers.get('dpop-nonce') ?? this.nonce
    return first.body?.code === 'use_dpop_nonce' && headers.dpop === undefined ? send() : first
  }

  /** The statement of a call, as the window shows it; `undefined` for calls that need none. */
  private shownFor(path: string, given: unknown): string | undefined {
    const body = (typeof given === 'object' && given !== null ? given : {}) as Record<string, unknown>
    const factor = (action: string, of: string, subject: unknown = '') =>
      this.say('Latchkey second factor', { action, factor: of, subject: String(subject) })
    const change = /\/recovery\/changes(?:\/([^/]+)\/confirm)?$/.exec(path)
    if (change)
      return shownChanges.get(change[1] === undefined ? String(body.change_id) : `confirm ${change[1]}`)
    const device = /^devices\/([^/]+)\/remove$/.exec(path)?.[1]
    if (device) return this.say('Latchkey device removal', { device })
    switch (path) {
      case 'embedded_wallets':
        return body.secret === 'key'
          ? this.say('Latchkey key import', { address: String(body.address), wallet: String(body.wallet_id) })
          : undefined
      case 'embedded_wallets/export/redeem':
        return this.say('Latchkey key export', { address: String(body.address) })
      case 'mfa/totp/enroll':
        return factor('add', 'totp')
      case 'mfa/totp/unenroll':
        return factor('remove', 'totp')
      case 'mfa/passwordless_sms/enroll':
        return factor('add', 'sms', body.phoneNumber)
      case 'mfa/passwordless_sms/unenroll':
        return factor('remove', 'sms')
      case 'mfa/passkeys/enrollment':
        return factor('set', 'passkey', body.credential_ids)
      case 'mfa/passkeys/unlink':
        return factor('unlink', 'passkey', body.credential_id)
      case 'mfa/recovery_codes/generate':
        return factor('renew', 'recovery-codes')
      default:
        return undefined
    }
  }

  /** The statement with which a device approves a pending change, from what the server says of it. */
  changeStatement(change: string, review: Answer['body']): string {
    const { action, account, replaces, session, requester } = review
    const subject = account?.subject ?? session?.id ?? requester?.id ?? ''
    return this.say('Latchkey account change', {
      change,
      action,
      type: account?.type ?? '',
      subject,
      ...(replaces && { replaces: replaces.subject }),
    })
  }
  /** Shows a pending change in the window and approves it. */
  async approveChange(change: string, headers: Named = {}): Promise<Answer> {
    const review = await this.post(`users/me/changes/${change}/review`)
    if (review.status !== 200) return review
    const statement = this.changeStatement(change, review.body)
    return this.unshown(`users/me/changes/${change}/approve`, {}, statement, headers)
  }
  /** Does with the page's token what has to be approved, and approves it. */
  async approved(refused: Promise<Answer> | Answer, headers: Named = {}): Promise<Answer> {
    const { status, body, text } = await refused
    if (status !== 403 || body?.code !== 'approval_required')
      throw new Error(`Nothing to approve: ${status} ${text}`)
    return this.approveChange(body.data.change, headers)
  }

  /** A proof for one call. @param changed what is other than it should be */
  proofFor(path: string, changed?: { claims?: object; header?: object }): string {
    const clock = (this.world as Partial<World>).clock
    const of = { htm: 'POST', htu: new URL(`${apiUrl}/api/v1/${path}`).href, at: clock?.now ?? Date.now() }
    return this.key.proof({ ...of, token: this.token, nonce: this.nonce }, changed)
  }

  /** A call whose statement the vault's window has shown and this key has signed. */
  postStated(path: string, body: unknown, statement: string, headers: Named = {}): Promise<Answer> {
    return this.unshown(path, body, statement, headers)
  }
  /** The statement that approves the request of another device. */
  approvalOf({ id, thumbprint }: { id: string; thumbprint: string }, number: string): string {
    return this.say('Latchkey device approval', { request: id, thumbprint, number })
  }
  /** Approves the request of another device, which shows a number. @param headers the proof of a second factor */
  async approve(id: string, number: string, headers: Named = {}): Promise<Answer> {
    const { requests } = (await this.post('devices/requests')).body
    const request = requests.find((each: { id: string }) => each.id === id)
    if (!request) throw new Error('There is no such request')
    return this.postStated(
      `devices/requests/${id}/approve`,
      { number },
      this.approvalOf(request, number),
      headers,
    )
  }
  /** Makes another browser of the user an enrolled device, which this one approves. */
  async enrolOther(options: ClientOptions = {}, headers: Named = {}): Promise<Vault> {
    const other = this.elsewhere(options)
    const { id, number } = (await other.post('devices/enroll/request')).body
    const approved = await this.approve(id, number, headers)
    const enrolled = await other.enrol({ factor: 'device', id })
    if (enrolled.status !== 200)
      throw new Error(`Not enrolled: ${approved.status} ${enrolled.status} ${enrolled.text}`)
    return other
  }

  /** Makes this browser one of the person's. */
  async enrol(showing: object = { factor: 'login' }): Promise<Answer> {
    return this.post('devices/enroll', showing)
  }

  /** The same login in another browser, whose key nobody knows yet. */
  elsewhere(options: ClientOptions = {}): Vault {
    const vault = new Vault(this.world, { ...this.options, ...options })
    vault.token = this.token
    vault.userId = this.userId
    return vault
  }

  static async open(world: World, options: ClientOptions = {}): Promise<Vault> {
    const { appId = openApp } = options
    const page = new Client(world, { appId })
    const { body } = await page.login(newAddress())
    const vault = new Vault(world, { origin: vaultOrigin, ...options, appId })
    vault.token = body.token
    vault.userId = body.user.id
    vault.refreshToken = body.refresh_token
    const { status, text: said } = await vault.enrol()
    if (status !== 200) throw new Error(`Not enrolled: ${status} ${said}`)
    return vault
  }
  /** The page of the same person. */
  page(): Client {
    const page = new Client(this.world, { appId: this.appId })
    page.token = this.token
    return page
  }

  say = (title: string, lines: Record<string, string | number>) =>
    text(title, { app: this.appId, user: this.userId, ...lines })

  async newRoot(key = ethereumKey(), more: object = {}): Promise<Root> {
    const walletId = randomUUID()
    const setId = randomUUID()
    const statement = this.say('Latchkey embedded wallet', { address: key.address, wallet: walletId })
    const body = {
      wallet_id: walletId,
      secret: 'entropy',
      chain_type: key.chainType,
      address: key.address,
      set_id: setId,
      auth_share: `auth share of ${walletId}`,
      recovery: automatic(),
      proof: await key.prove(statement),
      ...more,
    }
    return { walletId, setId, key, body }
  }
  /** A wallet that is stored. */
  async create(key?: TestKey, more?: object): Promise<Root> {
    const root = await this.newRoot(key, more)
    const { status, body } = await this.post('embedded_wallets', root.body)
    if (status !== 200 || !body.created) throw new Error(`No wallet: ${status} ${JSON.stringify(body)}`)
    return root
  }
  async password(): Promise<{ method: string; package: string; secret_id: string; salt: string }> {
    const proof = random(32)
    const { body } = await this.post('embedded_wallets/recovery/secrets', { proof })
    const { secret_id } = body
    this.passwords.set(secret_id, proof)
    return { method: 'user-passcode', package: `package ${randomUUID()}`, secret_id, salt: random(16) }
  }

  async walletBody(root: Root, index: number, key: TestKey) {
    const lines = { wallet: root.walletId, chain: key.chainType, index, address: key.address }
    const statement = this.say('Latchkey wallet added', lines)
    const [proof, root_proof] = await Promise.all([key.prove(statement), root.key.prove(statement)])
    const { chainType: chain_type, address } = key
    return { chain_type, wallet_index: index, address, proof, root_proof }
  }
  async add(root: Root, index: number, key = ethereumKey()): Promise<Answer> {
    return this.post(`${path(root)}/wallets`, await this.walletBody(root, index, key))
  }
  async deviceBody(root: Root, setId = randomUUID(), key = root.key) {
    const statement = this.say('Latchkey device added', { wallet: root.walletId, set: setId })
    return { set_id: setId, auth_share: `another share ${setId}`, proof: await key.prove(statement) }
  }
  /** Shows the password with which a wallet was made. */
  present({ key, body }: Root): Promise<Answer> {
    const proof = this.passwords.get(body.recovery.secret_id ?? '')
    return this.post(`embedded_wallets/${key.address}/recovery/present`, { proof })
  }
  confirmBody(root: Root, changeId: string) {
    const statement = this.say('Latchkey recovery confirmed', { wallet: root.walletId, change: changeId })
    shownChanges.set(`confirm ${changeId}`, statement)
    return { device_proof: this.key.sign(statement) }
  }
  confirm(root: Root, changeId = ''): Promise<Answer> {
    return this.post(`${path(root)}/recovery/changes/${changeId}/confirm`, this.confirmBody(root, changeId))
  }
  /** The screen of the window before a change of recovery. */
  changeOfRecovery(root: Root, recovery: { method: string; package: string }, changeId: string): string {
    return this.say('Latchkey recovery change', {
      wallet: root.walletId,
      change: changeId,
      method: recovery.method,
      package: createHash('sha256').update(recovery.package).digest('hex'),
    })
  }
  async changeBody(root: Root, recovery: { method: string; package: string }, changeId = randomUUID()) {
    const statement = this.changeOfRecovery(root, recovery, changeId)
    shownChanges.set(changeId, statement)
    return { change_id: changeId, recovery, device_proof: this.key.sign(statement) }
  }
  /** Changes the recovery method, both phases. */
  async change(root: Root, recovery: { method: string; package: string }): Promise<Answer> {
    const body = await this.changeBody(root, recovery)
    const prepared = await this.post(`${path(root)}/recovery/changes`, body)
    if (prepared.status !== 200) return prepared
    return this.confirm(root, body.change_id)
  }
}

export const path = ({ key }: Pick<Root, 'key'>) => `embedded_wallets/${key.address}`
export const verdict = ({ status, body }: Answer) => [status, body?.code]
