# SPDX-License-Identifier: GPL-3.0-or-later
"""Checks that the API reference covers all public symbols: test-reference.py GIR HEADER REFERENCE

The GIR describes each function of the header, its parameters and its return value, and each type
with its public fields or members, and the constants; each function has a page.
"""
import os
import re
import sys
import xml.etree.ElementTree

CORE = '{http://www.gtk.org/introspection/core/1.0}'
C = '{http://www.gtk.org/introspection/c/1.0}'

gir, header, reference = sys.argv[1:]
with open(header, encoding='utf-8') as file:
    text = file.read()
namespace = xml.etree.ElementTree.parse(gir).getroot().find(CORE + 'namespace')

number = 0
failed = False


def point(title, missing):
    global number, failed
    number += 1
    failed = failed or bool(missing)
    print(f"{'not ok' if missing else 'ok'} {number} - {title}")
    for line in missing:
        print('# ' + line)


def described(element):
    doc = element.find(CORE + 'doc')
    return doc is not None and doc.text.strip() != ''


code = re.sub(r'/\*.*?\*/', '', text, flags=re.DOTALL)
public = re.findall(r'WF_API[^;]*?\b(wf_\w+)\s*\(', code)
functions = {element.get(C + 'identifier'): element for element in namespace.iter()
             if element.tag in (CORE + 'function', CORE + 'method', CORE + 'constructor')}

print(f'# {len(public)} functions')
point('the header declares functions', [] if len(public) > 50 else ['fewer than 50'])
point('every function is described',
      [name for name in public if name not in functions or not described(functions[name])])

missing = []
for name in public:
    for element in functions[name].iter() if name in functions else ():
        if element.tag in (CORE + 'parameter', CORE + 'instance-parameter') and \
                element.get('name') != 'error' and not described(element):
            missing.append(f"{name}: @{element.get('name')}")
point('every parameter is described', missing)

missing = []
for name in public:
    value = functions[name].find(CORE + 'return-value') if name in functions else None
    if value is not None and not described(value) and \
            value.find(CORE + 'type') is not None and value.find(CORE + 'type').get('name') != 'none':
        missing.append(name)
point('every return value is described', missing)

# opaque structs have no public fields
types = set(re.findall(r'^\}\s*(Wf\w+);', code, flags=re.MULTILINE) +
            re.findall(r'^typedef struct _\w+\s+(Wf\w+);', code, flags=re.MULTILINE) +
            re.findall(r'\(\* ?(Wf\w+)\)', code))
elements = {element.get(C + 'type'): element for element in namespace
            if element.get(C + 'type')}
print(f'# {len(types)} types')
point('the header declares types', [] if len(types) > 15 else ['fewer than 15'])
point('every type is described',
      sorted(name for name in types if name not in elements or not described(elements[name])))

missing = []
for name in sorted(types & set(elements)):
    element = elements[name]
    for part in element.findall(CORE + 'member') + element.findall(CORE + 'field'):
        if part.get('private') != '1' and not described(part):
            missing.append(f"{name}: {part.get('name')}")
point('every field and member is described', missing)

# the scanner leaves out inline functions and macros whose values it cannot compute
missing = [element.get('name') for element in namespace
           if element.tag in (CORE + 'constant', CORE + 'function-macro') and not described(element)]
point('every constant and macro is described', missing)

pages = {os.path.splitext(page)[0].split('.', 1)[1] for page in os.listdir(reference)
         if page.endswith('.html') and page.count('.') > 1}
missing = []
for name in public:
    stem = name[len('wf_'):]
    if not any(page == stem or stem.endswith(page.split('.')[-1]) for page in pages):
        missing.append(name)
point('every function has a page', missing)
print(f'1..{number}')
sys.exit(failed)
