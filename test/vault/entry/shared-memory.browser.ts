/** What the vault's frames of one page share where the browser keeps nothing for them, with real frames. */
import { expect } from '@open-wc/testing'
import { systemClock } from '../../../src/lib/clock.ts'
import { memoryStorage } from '../../../src/lib/storage.ts'
import { newKeyPair, openKeyPair } from '../../../src/vault/device/key.ts'
import { fallbackKeys, type KeyStore, memoryKeys } from '../../../src/vault/device/key-store.ts'
import { borrowMemory, lendMemory } from '../../../src/vault/entry/shared-memory.ts'
import { createMfaProofs } from '../../../src/vault/mfa/proofs.ts'
import { newSealingKey } from '../../../src/vault/shares/sealing-key.ts'
import { fallbackStore, memoryStore } from '../../../src/vault/shares/store.ts'

const app = 'one'
const refuse = () => Promise.reject(new DOMException('refused', 'SecurityError'))
const refused: KeyStore = { keyOf: refuse }
const thumbprintOf = async (keys: KeyStore, name = app) =>
  (await openKeyPair(await keys.keyOf(name, newKeyPair))).thumbprint

async function recordOf(user: string) {
  const [deviceKey, authKey] = await Promise.all([newSealingKey(), newSealingKey()])
  const names = { app, user, walletId: 'w', setId: 's', kind: 'entropy', chainType: 'ethereum' } as const
  return { ...names, address: '0x', share: 'x', deviceKey, authKey, committed: true, madeAt: 1 }
}

describe('frames of the vault in one page, where the browser keeps nothing', () => {
  const frames: HTMLIFrameElement[] = []
  afterEach(() => {
    for (const frame of frames.splice(0)) frame.remove()
  })
  async function frame(src?: string): Promise<Window> {
    const made = document.createElement('iframe')
    frames.push(made)
    if (src) made.src = src
    const loaded = new Promise((resolve) => made.addEventListener('load', resolve))
    document.body.append(made)
    if (src) await loaded
    return made.contentWindow as Window
  }
  /** The hidden frame; its storage is refused as well. */
  async function hidden(name = app) {
    const keys = fallbackKeys(refused, systemClock, memoryKeys())
    const memory = memoryStore()
    const tab = memoryStorage()
    lendMemory(await frame(), name, { keys, store: memory, tab })
    const store = fallbackStore({ list: refuse, put: refuse, remove: refuse }, systemClock, memory)
    return { keys, store, proofs: createMfaProofs(name, tab, systemClock) }
  }
  /** A frame that comes and goes. */
  function passing(name = app) {
    const memory = borrowMemory({ parent: window }, name, systemClock)
    return {
      keys: fallbackKeys(refused, systemClock, memory.keys),
      store: fallbackStore({ list: refuse, put: refuse, remove: refuse }, systemClock, memory.store),
      proofs: createMfaProofs(name, memory.tab, systemClock),
    }
  }

  it('have one key between them, which no script can read', async () => {
    const { keys } = await hidden()
    const passed = await passing().keys.keyOf(app, newKeyPair)
    expect(passed.privateKey.extractable).to.equal(false)
    expect((await openKeyPair(passed)).thumbprint).to.equal(await thumbprintOf(keys))
    expect(await thumbprintOf(passing().keys)).to.equal(await thumbprintOf(keys))
    expect(await (await openKeyPair(passed)).sign('a proof')).to.have.length(86)
  })

  it('wait for the frame that has it, which the page has only begun to load', async () => {
    const early = thumbprintOf(passing().keys)
    const { keys } = await hidden()
    expect(await early).to.equal(await thumbprintOf(keys))
  })

  it('have the same shares, and what one removes is gone for the others', async () => {
    const { store } = await hidden()
    const record = await recordOf('u')
    await passing().store.put(record)
    for (const each of [store, passing().store]) {
      const [kept] = await each.list(app, 'u')
      expect(kept?.share).to.equal('x')
      expect(kept?.deviceKey.extractable).to.equal(false)
    }
    expect(await passing().store.list(app, 'somebody else')).to.deep.equal([])
    await store.remove(record)
    expect(await passing().store.list(app, 'u')).to.deep.equal([])
  })

  it('know that the person was verified in one of them, until it is forgotten', async () => {
    const { proofs } = await hidden()
    const proof = { purpose: 'export', text: 'a proof', at: systemClock.now() } as const
    passing().proofs.keep('u', proof)
    for (const each of [proofs, passing().proofs]) expect(each.good('u', 'export')).to.deep.equal(proof)
    expect(proofs.latest('somebody else')).to.equal(undefined)
    proofs.forget('u')
    expect(passing().proofs.latest('u')).to.equal(undefined)
  })

  it('take nothing from another app’s vault, or from frames that they may not read', async () => {
    const other = await hidden('two')
    await frame('data:text/html,<p>a frame of somebody else</p>')
    const { keys, store, proofs } = passing()
    proofs.keep('u', { purpose: 'use', text: 'own', at: systemClock.now() })
    expect(other.proofs.latest('u')).to.equal(undefined)
    expect(proofs.latest('u')?.text).to.equal('own')
    await store.put(await recordOf('u'))
    const own = await thumbprintOf(keys)
    expect(own).not.to.equal(await thumbprintOf(other.keys, 'two'))
    expect(await thumbprintOf(keys)).to.equal(own)
    expect(await other.store.list('two', 'u')).to.deep.equal([])
    expect(await store.list(app, 'u')).to.have.length(1)
  })
})
