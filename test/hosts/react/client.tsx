import { StrictMode } from 'react'
import { hydrateRoot } from 'react-dom/client'
import { Home } from '../next/app/home'

hydrateRoot(
  document.querySelector('#app') as HTMLElement,
  <StrictMode>
    <Home />
  </StrictMode>,
  { onRecoverableError: (error) => console.error(error) },
)
