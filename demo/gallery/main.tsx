/** Every screen in every example, theme and size. With a screen in the query it shows that one, without it the list. */
import { createRoot } from 'react-dom/client'
import { Shadow } from '../../styles/shadow.tsx'
import { readAddress } from './address.ts'
import { Contents } from './contents.tsx'
import { Shown } from './shown.tsx'

const address = readAddress(location.search)
const host = document.createElement('div')
host.dir = address.dir
host.style.setProperty('--lk-text-scale', String(address.scale))
document.body.style.margin = '0'
document.body.append(host)

const root = host.attachShadow({ mode: 'open' })
const page = address.screen ? <Shown address={address} /> : <Contents address={address} />
createRoot(root).render(
  <Shadow root={root} theme={address.theme} accent={address.accent}>
    {page}
  </Shadow>,
)
