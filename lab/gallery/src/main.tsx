/** The page of the gallery: the engines, live in the reader's browser. */
import { render } from 'preact';
import { Gallery } from './gallery.js';

render(<Gallery />, document.getElementById('app')!);
