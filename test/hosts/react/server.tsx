import { StrictMode } from 'react'
import { renderToString } from 'react-dom/server'
import { Home } from '../next/app/home'
import { Second } from '../next/app/second-page'

const pages = [Home, Second].map((Page) =>
  renderToString(
    <StrictMode>
      <Page />
    </StrictMode>,
  ),
)
process.stdout.write(JSON.stringify(pages))
