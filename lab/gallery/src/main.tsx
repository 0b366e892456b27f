/** The page of the gallery, which runs the engines in the browser. */
import { render } from 'preact';
import { Gallery } from './gallery.js';

render(<Gallery />, document.getElementById('app')!);
