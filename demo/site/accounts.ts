import type {
  AccountLink,
  AccountSettings,
  LinkedAccount,
  LoginMethod,
  LoginModal,
  PasskeyManager,
} from '../../src/index.ts'

const byId = <T extends HTMLElement>(id: string) => document.getElementById(id) as T

const methods: readonly LoginMethod[] = [
  ...(['email', 'sms', 'passkey', 'wallet', 'farcaster', 'telegram'] as const),
  ...(['google', 'apple', 'twitter', 'discord', 'github'] as const),
  ...(['linkedin', 'spotify', 'instagram', 'tiktok'] as const),
]

/** The accounts of the person who is logged in. @param failed told what came of a call that failed */
export function accounts(
  {
    login,
    linker,
    settings,
    passkeys,
  }: { login: LoginModal; linker: AccountLink; settings: AccountSettings; passkeys: PasskeyManager },
  failed: (what: string, cause: unknown) => void,
): void {
  const attempt = (what: string, work: () => Promise<unknown>) => async () => {
    try {
      // Somebody may be faster than the element's code.
      if (!linker.matches(':defined')) await customElements.whenDefined('account-link')
      await work()
    } catch (cause) {
      failed(what, cause)
    }
  }

  function show(): void {
    byId('accounts').hidden = !login.user
    byId('account-list').replaceChildren(...(login.user?.linkedAccounts ?? []).map(entryOf))
  }

  function entryOf(account: LinkedAccount): HTMLLIElement {
    const entry = document.createElement('li')
    const type = document.createElement('strong')
    type.textContent = account.type === 'other' ? account.kind : account.type
    const name = document.createElement('span')
    name.textContent = nameOf(account)
    entry.append(type, ' ', name)
    // Embedded wallets belong to the account for good.
    if (account.type === 'wallet' && account.embedded) return entry
    const actions = document.createElement('p')
    actions.className = 'actions'
    const button = document.createElement('button')
    button.type = 'button'
    button.textContent = 'Unlink'
    button.addEventListener(
      'click',
      attempt('unlink()', () => linker.unlink(account)),
    )
    actions.append(button)
    entry.append(actions)
    return entry
  }

  byId('link-method').append(...methods.map((method) => new Option(method)))
  byId<HTMLFormElement>('link').addEventListener('submit', (event) => {
    event.preventDefault()
    const method = byId<HTMLSelectElement>('link-method').value as LoginMethod
    void attempt('link()', () => linker.link(method))()
  })
  byId('update-email').addEventListener(
    'click',
    attempt('update()', () => linker.update('email')),
  )
  byId('update-phone').addEventListener(
    'click',
    attempt('update()', () => linker.update('phone')),
  )
  byId('settings').addEventListener(
    'click',
    attempt('manage()', () => settings.manage()),
  )
  byId('passkeys').addEventListener(
    'click',
    attempt('manage()', () => passkeys.manage()),
  )
  for (const type of ['lk-ready', 'lk-user']) login.addEventListener(type, show)
}

/** What tells the accounts of a person apart. */
function nameOf(account: LinkedAccount): string {
  const { address, number, username, email, subject, fid, credentialId } = account as unknown as Record<
    string,
    string | number | undefined
  >
  return String(address ?? number ?? username ?? email ?? subject ?? fid ?? credentialId ?? '')
}
