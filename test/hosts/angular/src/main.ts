import 'latchkey/define'
import { Component, provideZonelessChangeDetection } from '@angular/core'
import { bootstrapApplication } from '@angular/platform-browser'
import { provideRouter, RouterLink, RouterOutlet } from '@angular/router'
import { Home } from './home'
import { Second } from './second'

@Component({
  selector: 'host-root',
  imports: [RouterOutlet, RouterLink],
  template: `
    <router-outlet />
    <a id="go" routerLink="/second">Second page</a>
    <a id="back" routerLink="/">Back</a>
  `,
})
class App {}

const routes = [
  { path: '', component: Home },
  { path: 'second', component: Second },
]
bootstrapApplication(App, { providers: [provideZonelessChangeDetection(), provideRouter(routes)] }).catch(
  (error: unknown) => console.error(error),
)
