// biome-ignore-all lint/a11y: nobody but a test uses this page
/** @jsxImportSource react */
/**
 * A page that uses of React what the kit's views use, in a shadow root as they do, and writes down what happens. It is
 * built twice: once with React as it is, once with the React that is shipped.
 */
import {
  Component,
  createContext,
  Fragment,
  lazy,
  type ReactNode,
  Suspense,
  type SyntheticEvent,
  use,
  useCallback,
  useEffect,
  useId,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react'
import { createRoot } from 'react-dom/client'

declare global {
  interface Window {
    log: string[]
    stop(): void
  }
}
const log = (...words: unknown[]) => window.log.push(words.join(' '))
window.log = []

const heard = (event: SyntheticEvent) => {
  const { type, eventPhase, target, currentTarget } = event
  log(type, eventPhase, (target as Element).id, (currentTarget as Element).id)
}

/** Loads when it is asked for, and then waits for what it shows. */
let arrive = (_text: string) => {}
const text = new Promise<string>((resolve) => {
  arrive = resolve
})
const Late = lazy(async () => ({ default: () => <p id="late">{use(text)}</p> }))
const Place = createContext('nowhere')

class Net extends Component<{ children: ReactNode }, { caught?: string }> {
  override state: { caught?: string } = {}
  static getDerivedStateFromError = (cause: Error) => ({ caught: cause.message })
  override componentDidCatch(cause: Error) {
    log('caught', cause.message)
  }
  override render() {
    return this.state.caught ? <p id="caught">{this.state.caught}</p> : this.props.children
  }
}

function Effects({ name }: { name: string }) {
  const ref = useRef<HTMLElement>(null)
  useLayoutEffect(() => {
    log('layout', name, ref.current?.id)
    return () => void log('layout ends', name)
  }, [name])
  useEffect(() => {
    log('effect', name)
    return () => void log('effect ends', name)
  }, [name])
  return (
    <i ref={ref} id={`effects-${name}`}>
      {name}
    </i>
  )
}

const listeners = new Set<() => void>()
let count = 0
const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}
const raise = () => {
  count++
  for (const listener of listeners) listener()
}

function Bomb({ lit }: { lit: boolean }) {
  if (lit) throw new Error('bang')
  return <b>calm</b>
}

function Form() {
  const id = useId()
  const [typed, setTyped] = useState('')
  const [ticked, tick] = useState(false)
  const [chosen, choose] = useState('b')
  return (
    <form
      id="form"
      onSubmit={(event) => {
        event.preventDefault()
        heard(event)
        log('sent', typed, ticked, chosen)
      }}
      onFocus={heard}
      onBlur={heard}
      onKeyDown={heard}
    >
      <label htmlFor={id}>Text</label>
      <input
        id={id}
        data-name="text"
        value={typed}
        onChange={(event) => setTyped(event.target.value.toUpperCase())}
      />
      <input id="tick" type="checkbox" checked={ticked} onChange={(event) => tick(event.target.checked)} />
      <select id="choice" value={chosen} onChange={(event) => choose(event.target.value)}>
        <option>a</option>
        <option>b</option>
      </select>
      <textarea id="area" defaultValue="first" onInput={heard} onPaste={heard} />
      <button id="send">Send</button>
    </form>
  )
}

function Page() {
  const [order, setOrder] = useState(['one', 'two', 'three'])
  const [late, setLate] = useState(false)
  const [lit, light] = useState(false)
  const [effects, setEffects] = useState('first')
  const raised = useSyncExternalStore(subscribe, () => count)
  const doubled = useMemo(() => raised * 2, [raised])
  const turn = useCallback(() => setOrder((now) => [...now].reverse()), [])
  return (
    <Place value="somewhere">
      <div id="outer" onClick={heard} onClickCapture={heard} onPointerEnter={heard} onPointerLeave={heard}>
        <div id="middle" onClick={heard} onMouseEnter={heard} onMouseLeave={heard}>
          <button id="inner" onClick={heard} onDoubleClick={heard} onContextMenu={heard}>
            Press
          </button>
          <button
            id="still"
            onClick={(event) => {
              heard(event)
              event.stopPropagation()
            }}
          >
            Quiet
          </button>
        </div>
      </div>
      <Form />
      <ul>
        {order.map((name) => (
          <li key={name} id={name} data-place={name === order[0] ? 'first' : undefined}>
            <input aria-label={name} />
          </li>
        ))}
      </ul>
      <button id="turn" onClick={turn} />
      <button id="load" onClick={() => setLate(true)} />
      <button id="arrive" onClick={() => arrive('here at last')} />
      <button id="light" onClick={() => light(true)} />
      <button id="raise" onClick={raise} />
      <button id="effects" onClick={() => setEffects(effects === 'first' ? 'second' : '')} />
      <output id="raised">{`${raised} ${doubled}`}</output>
      <Suspense fallback={<p id="waiting">waiting</p>}>{late && <Late />}</Suspense>
      <Net>
        <Bomb lit={lit} />
      </Net>
      {effects && <Effects name={effects} />}
      <div id="box" onScroll={heard} style={{ height: 40, overflow: 'auto' }}>
        <div style={{ height: 400 }} />
      </div>
      <div id="from" draggable onDragStart={heard} onDragEnd={heard}>
        drag
      </div>
      <div id="to" onDragEnter={heard} onDragOver={(event) => event.preventDefault()} onDrop={heard}>
        drop
      </div>
      <details id="details" onToggle={heard}>
        <summary id="summary">More</summary>
      </details>
      <dialog id="dialog" onCancel={heard} onClose={heard}>
        <button id="inside">Inside</button>
      </dialog>
      <button
        id="open"
        onClick={({ currentTarget }) =>
          (currentTarget.previousElementSibling as HTMLDialogElement).showModal()
        }
      />
      <svg viewBox="0 0 4 4" width="4" height="4" aria-hidden>
        <title>dot</title>
        <circle cx="2" cy="2" r="2" strokeWidth={1} />
      </svg>
      <Fragment key="end">{[null, false, 0, 'end']}</Fragment>
    </Place>
  )
}

const host = document.createElement('div')
host.id = 'host'
document.body.append(host)
const root = createRoot(host.attachShadow({ mode: 'open' }))
root.render(<Page />)
window.stop = () => root.unmount()
