# SPDX-License-Identifier: GPL-3.0-or-later

"""A browser that only notes what it is asked to open, and help pages beside a plug-in."""

import os

WORK = os.environ['WORK']


def write(path, text):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, 'w', encoding='utf-8') as file:
        file.write(text)


def install():
    """Makes it the user's browser."""
    program = f'{WORK}/reader'
    write(program, f'#!/bin/sh\necho "$1" >>{WORK}/read\n')
    os.chmod(program, 0o755)
    write(f'{WORK}/data/applications/reader.desktop',
          f'[Desktop Entry]\nType=Application\nName=Reader\nExec={program} %u\n'
          'MimeType=text/html;x-scheme-handler/file;\n')
    write(f'{WORK}/config/mimeapps.list', '[Default Applications]\ntext/html=reader.desktop\n')


def add_page(name, language='en'):
    """Installs a page with a plug-in; returns its path."""
    page = f'{WORK}/plug-ins/wavefront-reconstruct/help/{language}/{name}.html'
    write(page, f'<!DOCTYPE html><title>{name}</title>')
    return page


def opened():
    """The paths of the pages that were opened."""
    try:
        with open(f'{WORK}/read', encoding='utf-8') as file:
            return file.read().split()
    except FileNotFoundError:
        return []
